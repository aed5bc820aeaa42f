/** Starts the complete HTTP server on a free port, for the probe service or another, and sends requests to it. */
import { Client, type ClientOptions } from '@modelcontextprotocol/sdk/client/index.js';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { createRuntime, type Limits } from '../../src/adapters/runtime.ts';
import { createLog } from '../../src/core/context/log.ts';
import type { ServiceDefinition } from '../../src/core/definition/service-definition.ts';
import { startHttp, type HttpOptions } from '../../src/transports/http/http.ts';
import { clientTransport } from './client-transport.ts';
import { createProbeService, type ProbeState } from '../probes/probe-service.ts';

export type ServerChanges = Partial<Omit<HttpOptions, 'runtime'>> & {
  readonly service?: ServiceDefinition;
  readonly limits?: Partial<Limits>;
  /** Receives each line of the log. */
  readonly logged?: (line: string) => void;
};

/** Stopped after the test. */
export async function startServer({
  service = createProbeService(),
  limits = {},
  logged,
  ...changes
}: ServerChanges = {}) {
  const runtime = await createRuntime({
    service,
    limits,
    version: '1.2.3',
    log: createLog(logged ? { level: 'debug', stream: { write: logged } } : { level: 'silent' }),
  });
  const server = await startHttp({
    runtime,
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
    authentication: { kind: 'none' },
    rateLimit: { requests: 1_000_000, seconds: 60 },
    drainMs: 200,
    ...changes,
  });
  onTestFinished(async () => {
    await server.close();
    await runtime.stop();
  });
  return { ...server, runtime, state: runtime.state as ProbeState };
}

/** Headers of a POST as a client sends it. */
export const mcpHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The messages of a JSON body or of an event stream. */
  readonly messages: readonly Record<string, unknown>[];
}

/** Sends one POST without a client library. */
export async function post(
  url: string,
  message: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<RawResponse> {
  const response = await request(url, {
    method: 'POST',
    headers: { ...mcpHeaders, ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
    ...(signal && { signal }),
  });
  const text = await response.body.text();
  const isStream = response.headers['content-type'] === 'text/event-stream';
  const parts = isStream
    ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => data)
    : [text];
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    messages: parts.filter(Boolean).map((part) => JSON.parse(part) as Record<string, unknown>),
  };
}

/** Connects the SDK's own client. Closed after the test. */
export async function connectOverHttp(
  url: string,
  headers: Record<string, string> = {},
  options?: ClientOptions,
) {
  const client = new Client({ name: 'test', version: '0' }, options);
  const transport = clientTransport(url, { requestInit: { headers } });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, transport };
}
