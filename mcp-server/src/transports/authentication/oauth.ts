/** An OAuth 2.1 resource server: validates JWT access tokens of an authorization server (RFC 9068, RFC 9728). */
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { bearerToken, unauthorized } from './bearer.ts';
import { errorCode, refusal, type Answer, type Middleware } from '../gate/exchange.ts';
import { keysOf, retryMilliseconds } from './oauth-keys.ts';

export interface OAuthOptions {
  /** The authorization server's identifier, as in its tokens and its metadata. */
  readonly issuer: string;
  /**
   * The required audience of a token: this endpoint's URL, unless the authorization server uses another identifier.
   */
  readonly audience: string;
  /** A token needs all of them. */
  readonly scopes: readonly string[];
  /** The URL of {@link resourceMetadata}, sent to clients with a rejected request. */
  readonly metadataUrl: string;
  /**
   * Called for the first failure only, until a token can be validated again: anyone can send any number of tokens.
   */
  readonly onUnreachable?: (error: unknown) => void;
}

/** Asymmetric algorithms only: with a shared secret, whoever can validate tokens could also issue them. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

const clockToleranceSeconds = 5;

export function checkAccessToken(options: OAuthOptions): Middleware {
  const keys = keysOf(options.issuer);
  const missing = unauthorized(challengeOf(options));
  const invalid = unauthorized(challengeOf(options, 'invalid_token'));
  const insufficient = insufficientScope(options);
  const unreachable = refusal(503, errorCode.refused, 'Tokens cannot be checked at the moment.', {
    'retry-after': String(retryMilliseconds / 1_000),
  });

  let isReachable = true;
  return async (exchange) => {
    const token = bearerToken(exchange.request.headers.authorization);
    if (token === undefined) return missing;
    let claims: JWTPayload;
    try {
      const verified = await jwtVerify(token, keys, {
        algorithms,
        issuer: options.issuer,
        audience: options.audience,
        requiredClaims: ['exp'],
        clockTolerance: clockToleranceSeconds,
      });
      claims = verified.payload;
      isReachable = true;
    } catch (error) {
      if (isTokenFault(error)) return invalid;
      if (isReachable) options.onUnreachable?.(error);
      isReachable = false;
      return unreachable;
    }
    if (typeof claims.sub !== 'string' || claims.sub === '') return invalid;
    const granted = scopesOf(claims);
    if (!options.scopes.every((each) => granted.has(each))) return insufficient;
    exchange.caller = {
      id: JSON.stringify([options.issuer, claims.sub]),
      scopes: [...granted],
      claims,
    };
    return undefined;
  };
}

function challengeOf(
  { metadataUrl, scopes }: Pick<OAuthOptions, 'metadataUrl' | 'scopes'>,
  error?: string,
): string {
  return [
    `Bearer resource_metadata="${metadataUrl}"`,
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
  ].join(', ');
}

/**
 * @param options `scopes`: all that are required, including those that the caller already has (RFC 6750, section
 *   3.1).
 */
export function insufficientScope(options: Pick<OAuthOptions, 'metadataUrl' | 'scopes'>): Answer {
  return refusal(403, errorCode.refused, 'Forbidden: a scope is missing.', {
    'www-authenticate': challengeOf(options, 'insufficient_scope'),
  });
}

/** The metadata of RFC 9728: which authorization server issues tokens for this endpoint. */
export function resourceMetadata(
  resource: string,
  options: Pick<OAuthOptions, 'issuer' | 'scopes'>,
  toolScopes: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const scopes = [...new Set([...options.scopes, ...toolScopes])];
  return {
    resource,
    authorization_servers: [options.issuer],
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
  };
}

/** Whether the token is at fault. Any other error comes from fetching the keys. */
function isTokenFault(error: unknown): boolean {
  const { JWKSTimeout, JWKSInvalid, JOSEError } = errors;
  return (
    error instanceof JOSEError &&
    // jose's base class is thrown if the key set's response is not a 200 or not JSON.
    error.constructor !== JOSEError &&
    !(error instanceof JWKSTimeout) &&
    !(error instanceof JWKSInvalid)
  );
}

/** Returns the granted scopes. `scope` is a space-separated list (RFC 8693); some servers use `scp`, or an array. */
function scopesOf(claims: JWTPayload): Set<string> {
  const scope = claims['scope'] ?? claims['scp'];
  if (typeof scope === 'string') return new Set(scope.split(' '));
  return new Set(Array.isArray(scope) ? scope.map(String) : []);
}
