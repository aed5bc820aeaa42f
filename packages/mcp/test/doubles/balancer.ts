/** A minimal round-robin load balancer. If a server fails before responding, it retries with the next one. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';

export interface Balancer {
  /** The URL of the endpoint. */
  readonly url: string;
  /** The endpoints of the servers. May be changed at run time. */
  readonly servers: string[];
  /** Number of retried requests. */
  retries: number;
  readonly close: () => Promise<void>;
}

/** Headers of the connection to the balancer, which are not forwarded. */
const ownHeaders = new Set(['host', 'connection', 'content-length']);

/** Reads the body before sending it, so that a request can be retried. */
export async function startBalancer(
  servers: string[],
  mayRetry: (body: string) => boolean,
): Promise<Balancer> {
  const agent = new Agent();
  let turn = 0;
  const listener = createServer((incoming, response) => {
    const respond = async () => {
      let body = '';
      for await (const chunk of incoming.setEncoding('utf8')) body += String(chunk);
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).filter(([name]) => !ownHeaders.has(name)),
      );
      const first = (turn += 1);
      for (let attempt = 0; ; attempt += 1) {
        const server = balancer.servers[(first + attempt) % balancer.servers.length] ?? '';
        try {
          const sent = { method: 'POST', headers, body, dispatcher: agent } as const;
          const given = await request(server, sent);
          const text = await given.body.text();
          const type = String(given.headers['content-type']);
          response.writeHead(given.statusCode, { 'content-type': type }).end(text);
          return;
        } catch {
          if (attempt + 1 >= balancer.servers.length || !mayRetry(body)) {
            response.writeHead(502).end();
            return;
          }
          balancer.retries += 1;
        }
      }
    };
    void respond();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const balancer: Balancer = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`,
    servers,
    retries: 0,
    close: async () => {
      listener.closeAllConnections();
      await Promise.all([agent.destroy(), new Promise((resolve) => listener.close(resolve))]);
    },
  };
  return balancer;
}
