/**
 * The routes beside the endpoint: health checks, and the metadata for clients that look for the authorization server
 * (RFC 9728). Their errors have OAuth's form (RFC 6749, section 5.2), because clients try OAuth's paths on any
 * server, and show its `error_description` to their users.
 */
import type { Authentication } from '../authentication/authentication.ts';
import { endpointPath } from '../gate/endpoint.ts';
import type { GateResponse, Exchange, Middleware } from '../gate/exchange.ts';
import { checkOrigin, openToAnyOrigin } from '../gate/header-checks.ts';
import { alive } from './health.ts';

export const metadataPath = '/.well-known/oauth-protected-resource';

const bearer =
  'This server has no OAuth. It takes a token that its operator hands out: let the client send it as the header "Authorization: Bearer <token>".';

/** How a client authenticates, for one that looks for it at a path that is not served. */
const advice: Readonly<Record<Authentication['kind'], string>> = {
  none: 'This server has no OAuth, and takes calls without authentication.',
  bearer,
  'named bearers': bearer,
  oauth: `The authorization server is named at ${metadataPath}${endpointPath}.`,
};

export interface SideRoutes {
  readonly kind: Authentication['kind'];
  readonly readiness: () => Promise<GateResponse>;
  /** Absent without OAuth. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Whose pages may read the health. Pages of any origin may read the rest. */
  readonly allowedOrigins: readonly string[];
}

export function createSideRoutes({
  kind,
  readiness,
  metadata,
  allowedOrigins,
}: SideRoutes): (path: string, exchange: Exchange) => GateResponse | Promise<GateResponse> {
  const routes = new Map<string, () => GateResponse | Promise<GateResponse>>([
    ['/healthz', () => alive],
    ['/readyz', readiness],
  ]);
  const health = new Set(routes.keys());
  if (metadata) {
    for (const path of [metadataPath, `${metadataPath}${endpointPath}`]) {
      routes.set(path, () => ({ status: 200, body: metadata }));
    }
  }
  const notFound: GateResponse = {
    status: 404,
    body: {
      error: 'not_found',
      error_description: `Nothing is served at this path: the endpoint is ${endpointPath}. ${advice[kind]}`,
    },
  };
  const wrongMethod: GateResponse = {
    status: 405,
    body: {
      error: 'invalid_request',
      error_description: 'This path takes GET and HEAD only.',
    },
    headers: { allow: 'GET, HEAD' },
  };
  const toAny = openToAnyOrigin();
  const toAllowed = readableBy(checkOrigin(allowedOrigins));
  return async (path, exchange) => {
    const preflight = await (health.has(path) ? toAllowed : toAny)(exchange);
    if (preflight) return preflight;
    const route = routes.get(path);
    if (route === undefined) return notFound;
    const { method } = exchange.request;
    return method === 'GET' || method === 'HEAD' ? route() : wrongMethod;
  };
}

/** Probes may have any origin: one that is not allowed gets the response without the headers to read it. */
function readableBy(originCheck: Middleware): Middleware {
  return async (exchange) => {
    const preflight = await originCheck(exchange);
    return preflight?.status === 204 ? preflight : undefined;
  };
}
