/** Static secrets, sent as `Authorization: Bearer …` (RFC 6750). */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../core/context/tool-context.ts';
import { refusal, type Middleware } from '../gate/exchange.ts';

/**
 * Compares the digest of the token with every known digest, all of one length, so that the time does not depend on
 * the guess.
 */
export function checkBearer(
  callers: readonly (readonly [token: string, caller: Caller])[],
): Middleware {
  const expected = callers.map(([token, caller]) => ({ digest: sha256(token), caller }));
  const missing = unauthorized('Bearer', noToken);
  const wrong = unauthorized(
    'Bearer error="invalid_token"',
    'the token is none that MCP_BEARER_TOKEN or MCP_BEARER_TOKENS has',
  );
  return (exchange) => {
    const given = bearerToken(exchange.request.headers.authorization);
    if (given === undefined) return missing;
    const digest = sha256(given);
    let found: Caller | undefined;
    for (const known of expected) if (timingSafeEqual(digest, known.digest)) found = known.caller;
    if (!found) return wrong;
    exchange.caller = found;
    return undefined;
  };
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Returns the token of `Authorization: Bearer …` (RFC 6750). Tokens in the query string are not accepted. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

/** The reason for a request without a bearer token. */
export const noToken = 'the request needs the header "Authorization: Bearer <token>"';

/** @param challenge The value of the `WWW-Authenticate` header. */
export function unauthorized(challenge: string, reason: string) {
  return refusal(401, `Unauthorized: ${reason}.`, {
    'www-authenticate': challenge,
  });
}
