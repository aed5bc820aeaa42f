/** One call to the platform's internal address: a deadline, a bound on what is read, no token. */
import type { Readable } from 'node:stream';
import { request, type Dispatcher } from 'undici';
import { siteEnv } from '~/server/env.server';

export interface UpstreamCall {
  method?: 'GET' | 'POST';
  /** Path below `PLATFORM_INTERNAL_URL`, starting with a slash. */
  path: string;
  /** Sent as `application/json`. */
  json?: unknown;
  /** The visitor's own abort: the upstream call ends with it. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for headers and body together. */
  deadline?: number;
  /** Bytes of body to read before giving up. */
  maxBytes?: number;
}

export interface UpstreamAnswer {
  /** 200–599. */
  status: number;
  contentType: string | undefined;
  body: Buffer<ArrayBuffer>;
}

/** The platform gave no answer that can be used. Carries nothing the platform said. */
export class UpstreamFailure extends Error {
  override name = 'UpstreamFailure';
  constructor(
    readonly reason: 'unavailable' | 'timeout' | 'aborted',
    options?: ErrorOptions,
  ) {
    super(`The platform's answer is ${reason}.`, options);
  }
  /** The status the site answers with: 504 when the deadline passed, else 502. */
  get status(): 502 | 504 {
    return this.reason === 'timeout' ? 504 : 502;
  }
}

/** What a caller of the site sees of an {@link UpstreamFailure}. */
export const upstreamUnavailable = { error: 'upstream_unavailable' } as const;

export const upstreamDeadline = 5_000;
const defaultMaxBytes = 1024 * 1024;

/**
 * Calls the platform through undici's global dispatcher, where the platform attaches identity.
 * Redirects are not followed (W32): they come back as the status they are.
 *
 * @throws {UpstreamFailure} unreachable, too slow, too large, cut short, or not HTTP we can relay.
 */
export async function callUpstream(call: UpstreamCall): Promise<UpstreamAnswer> {
  const { signal } = call;
  if (signal?.aborted) throw new UpstreamFailure('aborted');

  // One controller and one timer: AbortSignal.any with AbortSignal.timeout costs several times more.
  const ending = new AbortController();
  const end = (reason: UpstreamFailure['reason']) => {
    ending.abort(new UpstreamFailure(reason));
  };
  const timer = setTimeout(end, call.deadline ?? upstreamDeadline, 'timeout');
  const onAbort = () => {
    end('aborted');
  };
  signal?.addEventListener('abort', onAbort, { once: true });

  try {
    const answer = await request(siteEnv().platformInternalUrl + call.path, {
      method: call.method ?? 'GET',
      signal: ending.signal,
      ...(call.json === undefined
        ? null
        : { body: JSON.stringify(call.json), headers: { 'content-type': 'application/json' } }),
    });
    const contentType = single(answer.headers['content-type']);
    if (!isRelayable(answer, contentType)) {
      hangUp(answer.body);
      throw new UpstreamFailure('unavailable');
    }
    return {
      status: answer.statusCode,
      contentType,
      body: await readBounded(answer.body, call.maxBytes ?? defaultMaxBytes),
    };
  } catch (error) {
    const known: unknown = ending.signal.aborted ? ending.signal.reason : error;
    if (known instanceof UpstreamFailure) throw known;
    throw new UpstreamFailure('unavailable', { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Whether only a status, a content type and a body can stand for this answer. */
function isRelayable(
  { statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  contentType = '',
): boolean {
  return (
    statusCode >= 200 &&
    statusCode <= 599 &&
    // None was asked for, and only the content type crosses: such a body would arrive unreadable.
    !single(headers['content-encoding']) &&
    // No HTTP server writes a header with other characters: trying throws.
    /^[\t\x20-\x7e]*$/.test(contentType)
  );
}

/** Ends the call. A body that nobody reads tells of its end by an event that would stop the server. */
function hangUp(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

async function readBounded(
  body: AsyncIterable<Buffer> & Readable,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) {
      hangUp(body);
      throw new UpstreamFailure('unavailable');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
