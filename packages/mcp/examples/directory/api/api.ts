/**
 * A small service for the MCP server to wrap, with the failures of a real one.
 *
 * A token is required: the shared one, or `personal-<a person's id>`. A path segment or query `q` of
 * `fault-<status>` or `fault-slow` causes that failure, and so does the header `x-example-fault`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRoutes, type ApiResponse } from './routes.ts';

/** The token that it accepts for development. */
export const developmentToken = 'example-development-token';

export interface ExampleServiceOptions {
  /** Default: 0, for any free port. */
  readonly port?: number;
  readonly token: string;
  /** Requests a second for each token. Unlimited by default. */
  readonly requestsPerSecond?: number;
  /** Delay of `fault-slow`. */
  readonly slowMs?: number;
  /** An export takes twenty steps. */
  readonly exportStepMs?: number;
}

export interface ExampleService {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  close(): Promise<void>;
}

const maxBodyBytes = 64 * 1024;

export async function startExampleService({
  port = 0,
  token,
  requestsPerSecond = Number.POSITIVE_INFINITY,
  slowMs = 60_000,
  exportStepMs = 250,
}: ExampleServiceOptions): Promise<ExampleService> {
  const routes = createRoutes(exportStepMs);
  const allow = createRateLimit(requestsPerSecond);

  async function responseTo(request: IncomingMessage): Promise<ApiResponse> {
    const sent = request.headers.authorization?.replace(/^Bearer /i, '') ?? '';
    const [, personId] = /^personal-(usr_\d+)$/.exec(sent) ?? [];
    if (sent !== token && !(personId !== undefined && routes.isPerson(personId))) {
      const headers = { 'www-authenticate': 'Bearer realm="example"' };
      return { status: 401, body: { error: 'unauthorized' }, headers };
    }
    const retryAfter = allow(sent);
    if (retryAfter > 0) return limited(retryAfter);

    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const segments = decoded(pathname);
    if (!segments) return { status: 400, body: { error: 'bad_path' } };
    const fault = faultOf([...segments, searchParams.get('q'), request.headers['x-example-fault']]);
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, slowMs).unref());
    else if (fault === '429') return limited(1);
    else if (fault !== undefined) return { status: Number(fault), body: { error: 'fault' } };

    const body = await bodyOf(request);
    if ('status' in body) return body;
    const key = request.headers['idempotency-key'];
    return routes.respond({
      method: request.method ?? '',
      segments,
      query: searchParams,
      body: body.value,
      idempotencyKey: typeof key === 'string' ? `${sent} ${key}` : undefined,
      personId,
    });
  }

  const server = createServer((request, response) => {
    responseTo(request).then(
      (apiResponse) => {
        write(response, apiResponse);
      },
      () => {
        write(response, { status: 500, body: { error: 'internal' } });
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        routes.close();
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function write(response: ServerResponse, { status, body, headers }: ApiResponse) {
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    ...(text !== '' && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }),
    ...headers,
  });
  response.end(text);
}

function limited(seconds: number): ApiResponse {
  return { status: 429, body: { error: 'rate_limited' }, headers: { 'retry-after': `${seconds}` } };
}

/**
 * Limits requests in windows of one second. Returns the whole seconds until the next request is allowed; 0 if this
 * one is.
 */
function createRateLimit(requestsPerSecond: number): (token: string) => number {
  const windows = new Map<string, { second: number; count: number }>();
  return (token) => {
    const second = Math.floor(Date.now() / 1_000);
    const before = windows.get(token);
    const count = before?.second === second ? before.count + 1 : 1;
    windows.set(token, { second, count });
    return count > requestsPerSecond ? 1 : 0;
  };
}

function decoded(pathname: string): string[] | undefined {
  try {
    return pathname.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function faultOf(words: readonly (string | string[] | null | undefined)[]): string | undefined {
  for (const word of words) {
    const [, fault] = /^fault-(slow|[3-5]\d\d)$/.exec(String(word)) ?? [];
    if (fault !== undefined) return fault;
  }
  return undefined;
}

async function bodyOf(
  request: IncomingMessage,
): Promise<ApiResponse | { readonly value: unknown }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return { status: 413, body: { error: 'too_large' } };
    chunks.push(chunk);
  }
  if (size === 0) return { value: undefined };
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString()) as unknown };
  } catch {
    return { status: 400, body: { error: 'not_json' } };
  }
}
