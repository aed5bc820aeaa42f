/**
 * A site for the harness's own tests that makes any internal call it is told to, in the name of
 * whoever asks. It holds the ticket itself, where a real site has the preload do so.
 */
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Platform } from '../platform';
import { TICKET_HEADER } from '../people/tickets';
import { visit } from './visit';

export interface InternalAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
  json: () => unknown;
}

type InternalCall = (
  method: string,
  path: string,
  /** Sent as JSON, or as it is when it is a `Buffer`. */
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<InternalAnswer>;

export interface RelaySite {
  readonly url: string;
  /** A visitor whose calls each come from a site request of their own, after a passed `/user`. */
  as(cookie: string): { call: InternalCall };
  /** A call from outside any site request. */
  callDirectly(
    method: string,
    path: string,
    headers?: Record<string, string>,
  ): Promise<InternalAnswer>;
  /** The ticket of a site request that is over. */
  ticketOf(cookie: string): Promise<string>;
  close(): void;
}

/** Starts the site and puts it behind the platform. */
export async function openRelaySite(platform: Platform<unknown>): Promise<RelaySite> {
  const server = createServer((incoming, outgoing) => {
    outgoing.end(String(incoming.headers[TICKET_HEADER]));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const siteUrl = `http://127.0.0.1:${port}`;
  platform.setSiteUpstream(siteUrl);

  const ticketOf = async (cookie: string): Promise<string> =>
    (await visit(platform, '/', { cookie })).text;

  return {
    url: siteUrl,
    as: (cookie) => ({
      async call(method, path, body, headers) {
        const ticket = await ticketOf(cookie);
        const identity = { [TICKET_HEADER]: ticket };
        if (path !== '/user') await callInternal(platform, 'GET', '/user', identity);
        return callInternal(platform, method, path, { ...identity, ...headers }, body);
      },
    }),
    callDirectly: (method, path, headers = {}) => callInternal(platform, method, path, headers),
    ticketOf,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Without fetch, which would add headers and hide how an answer breaks. */
function callInternal(
  platform: Platform<unknown>,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<InternalAnswer> {
  const { hostname, port } = new URL(platform.internalUrl);
  const isJson = body !== undefined && !Buffer.isBuffer(body);
  const content = isJson ? { 'content-type': 'application/json' } : {};
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: hostname, port, path, method, headers: { ...content, ...headers }, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: bytes,
            text: bytes.toString(),
            json: (): unknown => JSON.parse(bytes.toString()),
          });
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.end(isJson ? JSON.stringify(body) : body);
  });
}
