/** An HTTP server with the gate or a part of it. Requests that pass get a 200. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  sendResponse,
  type Exchange,
  type Middleware,
} from '../../src/transports/gate/exchange.ts';

export interface GateServer {
  readonly url: string;
  /** `127.0.0.1:<port>` */
  readonly host: string;
}

/** Options of a gate that accepts every request. */
export const openGate = {
  allowedHosts: [],
  allowedOrigins: [],
  methods: ['POST'],
  authentication: () => undefined,
  rateLimit: () => undefined,
  maxBodyBytes: 1_000,
};

/** Stopped after the test. */
export async function startGateServer(middleware: Middleware): Promise<GateServer> {
  const server = createServer((request, response) => {
    const exchange: Exchange = { request, response, startedAt: performance.now() };
    void Promise.resolve(middleware(exchange)).then((rejection) => {
      sendResponse(exchange, rejection ?? { status: 200, body: passed(exchange) });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}/mcp`, host };
}

function passed({ caller, body }: Exchange) {
  return { passed: true, caller: caller?.id ?? null, body: body ?? null };
}
