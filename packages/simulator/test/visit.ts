/**
 * Sends one HTTP request as a visitor without a browser: to the edge on loopback, under a host name that need
 * not resolve on this machine.
 */
import { request, type Agent, type IncomingHttpHeaders } from 'node:http';

import type { Platform } from '../src/platform.ts';

export interface Visit {
  method?: string;
  /** From `platform.sessions.createCookie`. */
  cookie?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
  /** The site's host by default. */
  to?: 'site' | 'platform';
  agent?: Agent;
}

export interface Visited {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
  text: string;
  /** Parses the body as JSON, and throws if it is not. */
  json: () => unknown;
}

/**
 * Requests `path` from the edge and reads the whole response.
 *
 * @throws when the connection breaks, or the response is incomplete.
 */
export function visit(
  platform: Pick<Platform<unknown>, 'platformUrl' | 'siteOrigin'>,
  path: string,
  options: Visit = {},
): Promise<Visited> {
  const { host, port } = new URL(
    options.to === 'platform' ? platform.platformUrl : platform.siteOrigin,
  );
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        headers: {
          host,
          ...(options.cookie === undefined ? {} : { cookie: options.cookie }),
          ...options.headers,
        },
        ...(options.agent ? { agent: options.agent } : {}),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const body = Buffer.concat(chunks);
          const text = body.toString();
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            rawHeaders: incoming.rawHeaders,
            body,
            text,
            json: (): unknown => JSON.parse(text),
          });
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.end(options.body);
  });
}
