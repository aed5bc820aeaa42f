/**
 * The routes beside the endpoint: health checks, and the metadata for clients that look for the authorization server
 * (RFC 9728). Their errors have OAuth's form (RFC 6749, section 5.2), because clients try OAuth's paths on any
 * server, and show its `error_description` to their users.
 */
import type { Authentication } from '../authentication/authentication.ts';
import { endpointPath } from '../gate/endpoint.ts';
import type { Answer } from '../gate/exchange.ts';
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

/** @param metadata Absent without OAuth. */
export function createSideRoutes(
  kind: Authentication['kind'],
  readiness: () => Promise<Answer>,
  metadata: Readonly<Record<string, unknown>> | undefined,
): (path: string, method: string | undefined) => Answer | Promise<Answer> {
  // Public, and may be fetched by pages of any origin.
  const headers = { 'access-control-allow-origin': '*' };
  const routes = new Map<string, () => Answer | Promise<Answer>>([
    ['/healthz', () => alive],
    ['/readyz', readiness],
  ]);
  if (metadata) {
    const answer = { status: 200, body: metadata, headers };
    for (const path of [metadataPath, `${metadataPath}${endpointPath}`]) {
      routes.set(path, () => answer);
    }
  }
  const notFound: Answer = {
    status: 404,
    body: {
      error: 'not_found',
      error_description: `Nothing is served at this path: the endpoint is ${endpointPath}. ${advice[kind]}`,
    },
    headers,
  };
  const wrongMethod: Answer = {
    status: 405,
    body: {
      error: 'invalid_request',
      error_description: 'This path takes GET and HEAD only.',
    },
    headers: { allow: 'GET, HEAD' },
  };
  return (path, method) => {
    const route = routes.get(path);
    if (route === undefined) return notFound;
    return method === 'GET' || method === 'HEAD' ? route() : wrongMethod;
  };
}
