/** One shared secret, sent as `Authorization: Bearer …` (RFC 6750). */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../core/context/tool-context.ts';
import { errorCode, refusal, type Middleware } from '../gate/exchange.ts';

/** Digests are of one length, so that the comparison takes the same time for any guess. */
export function checkBearer(token: string): Middleware {
  const expected = sha256(token);
  const caller: Caller = { id: 'bearer' };
  const missing = unauthorized('Bearer');
  const wrong = unauthorized('Bearer error="invalid_token"');
  return (exchange) => {
    const given = bearerToken(exchange.request.headers.authorization);
    if (given === undefined) return missing;
    if (!timingSafeEqual(sha256(given), expected)) return wrong;
    exchange.caller = caller;
    return undefined;
  };
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** The token of `Authorization: Bearer …` (RFC 6750); never one of the address's query. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

/** @param challenge The `WWW-Authenticate` header. */
export function unauthorized(challenge: string) {
  return refusal(401, errorCode.refused, 'Unauthorized.', { 'www-authenticate': challenge });
}
