/** What each request to the endpoint meets before the protocol does, in this order. */
import { readBody } from './limited-body.ts';
import type { Answer, Exchange, Middleware } from './exchange.ts';
import {
  checkAccept,
  checkContentType,
  checkHost,
  checkMethod,
  checkOrigin,
} from './header-checks.ts';

export interface GateOptions {
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly methods: readonly string[];
  readonly authentication: Middleware;
  readonly rateLimit: Middleware;
  readonly maxBodyBytes: number;
  /** Behind the body, which it has read. */
  readonly authorization?: Middleware | undefined;
}

/** Nothing of a body is read for a caller who is not let in. */
export function createGate(options: GateOptions): Middleware {
  return inOrder([
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

/** One middleware out of many: the first answer is the answer. */
export function inOrder(middlewares: readonly Middleware[]): Middleware {
  return async (exchange: Exchange): Promise<Answer | undefined> => {
    for (const middleware of middlewares) {
      const given = middleware(exchange);
      const answer = given instanceof Promise ? await given : given;
      if (answer) return answer;
    }
    return undefined;
  };
}
