/** What each request to the endpoint meets before the protocol does, in this order. */
import { checkAccept } from './accept.ts';
import { readBody } from './body.ts';
import { checkContentType } from './content-type.ts';
import type { Answer, Exchange, Middleware } from './exchange.ts';
import { checkHost } from './host.ts';
import { checkMethod } from './method.ts';
import { checkOrigin } from './origin.ts';
import { checkProtocolVersion } from './protocol-version.ts';

export interface GateOptions {
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly methods: readonly string[];
  readonly authentication: Middleware;
  readonly rateLimit: Middleware;
  readonly protocolVersions: readonly string[];
  readonly maxBodyBytes: number;
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
    checkProtocolVersion(options.protocolVersions),
    readBody(options.maxBodyBytes),
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
