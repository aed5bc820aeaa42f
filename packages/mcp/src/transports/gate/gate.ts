/** The checks that each request passes before the protocol, in this order. */
import { readBody } from './limited-body.ts';
import type { GateResponse, Exchange, Middleware } from './exchange.ts';
import {
  checkAccept,
  checkContentType,
  checkHost,
  checkMethod,
  checkOrigin,
} from './header-checks.ts';
import { joinRepeated } from './repeated-headers.ts';

export interface GateOptions {
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly methods: readonly string[];
  readonly authentication: Middleware;
  readonly rateLimit: Middleware;
  readonly maxBodyBytes: number;
  /** Runs after the body was read. */
  readonly authorization?: Middleware | undefined;
}

/** Creates the gate. The body of an unauthenticated request is never read. */
export function createGate(options: GateOptions): Middleware {
  return inOrder([
    joinRepeated(),
    checkHost(options.allowedHosts),
    checkOrigin(options.allowedOrigins),
    checkMethod(options.methods),
    options.authentication,
    options.rateLimit,
    checkContentType(),
    checkAccept(),
    readBody(options.maxBodyBytes),
    ...(options.authorization ? [options.authorization] : []),
  ]);
}

/** Combines middlewares; the first response wins. */
export function inOrder(middlewares: readonly Middleware[]): Middleware {
  return async (exchange: Exchange): Promise<GateResponse | undefined> => {
    for (const middleware of middlewares) {
      const given = middleware(exchange);
      const response = given instanceof Promise ? await given : given;
      if (response) return response;
    }
    return undefined;
  };
}
