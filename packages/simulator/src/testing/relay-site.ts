/**
 * A site for the harness's own tests that makes any internal call on request, for the visitor who requests
 * it. It holds the ticket itself, where for a real site the preload does.
 */
import { createServer, request, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { callTicket } from '../people/call-ticket.mjs';
import { TICKET_HEADER } from '../people/tickets.ts';
import type { Platform } from '../platform.ts';

export interface InternalResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
  json: () => unknown;
}

type InternalCall = (
  method: string,
  path: string,
  /** Sent as JSON, or as is when it is a `Buffer`. */
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<InternalResponse>;

export interface HeldRequest {
  /** The ticket that the edge sent. */
  siteTicket: string;
  /** A ticket for one call. */
  ticketFor: (method: string, path: string) => string;
  end: () => Promise<void>;
  /** The visitor disconnects; resolves when the site has noticed. */
  leave: () => Promise<void>;
}

export interface RelaySite {
  readonly url: string;
  /** A visitor whose calls each come from a site request of their own, after a passed `/user`. */
  as(cookie: string): { call: InternalCall };
  /** The same, without that `/user`. */
  unguarded(cookie: string): { call: InternalCall };
  /** A call from outside any site request. */
  callDirectly(
    method: string,
    path: string,
    headers?: Record<string, string>,
  ): Promise<InternalResponse>;
  /** A site request that stays open until it is ended. */
  hold(cookie: string): Promise<HeldRequest>;
  close(): void;
}

/** Starts the site and makes it the platform's upstream. */
export async function openRelaySite(platform: Platform<unknown>): Promise<RelaySite> {
  const open = new Map<string, ServerResponse>();
  let calls = 0;
  const server = createServer((incoming, outgoing) => {
    const ticket = String(incoming.headers[TICKET_HEADER]);
    if (incoming.url !== '/held') {
      outgoing.end(ticket);
      return;
    }
    open.set(ticket, outgoing);
    outgoing.once('close', () => open.delete(ticket));
    outgoing.write(ticket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const siteUrl = `http://127.0.0.1:${port}`;
  platform.setSiteUpstream(siteUrl);

  const hold = (cookie: string): Promise<HeldRequest> =>
    new Promise((resolve, reject) => {
      const { host, port } = new URL(platform.siteOrigin);
      const outgoing = request(
        { host: '127.0.0.1', port, path: '/held', headers: { host, cookie }, agent: false },
        (incoming) => {
          incoming.on('error', () => undefined);
          incoming.once('data', (data: Buffer) => {
            const siteTicket = data.toString();
            resolve({
              siteTicket,
              ticketFor: (method, path) => {
                calls += 1;
                return callTicket(siteTicket, calls, method, path);
              },
              end: () =>
                new Promise((ended) => {
                  incoming.once('close', ended);
                  open.get(siteTicket)?.end();
                }),
              leave: () =>
                new Promise((left) => {
                  open.get(siteTicket)?.once('close', left);
                  outgoing.destroy();
                }),
            });
          });
        },
      );
      outgoing.once('error', reject);
      outgoing.end();
    });

  /** Calls within a site request that ends with them. */
  const within =
    (cookie: string, isGuarded: boolean): InternalCall =>
    async (method, path, body, headers) => {
      const { ticketFor, end } = await hold(cookie);
      const send = (
        method: string,
        path: string,
        headers?: Record<string, string>,
        body?: unknown,
      ) =>
        callInternal(
          platform,
          method,
          path,
          { [TICKET_HEADER]: ticketFor(method, path), ...headers },
          body,
        );
      try {
        const isGuard = method === 'GET' && path === '/user';
        if (isGuarded && !isGuard) await send('GET', '/user');
        return await send(method, path, headers, body);
      } finally {
        await end();
      }
    };

  return {
    url: siteUrl,
    as: (cookie) => ({ call: within(cookie, true) }),
    unguarded: (cookie) => ({ call: within(cookie, false) }),
    callDirectly: (method, path, headers = {}) => callInternal(platform, method, path, headers),
    hold,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Without `fetch`, which would add headers and hide how a response breaks. */
function callInternal(
  platform: Platform<unknown>,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<InternalResponse> {
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
