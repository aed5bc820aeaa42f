/** An OAuth 2.1 resource server: validates JWT access tokens of an authorization server (RFC 9068, RFC 9728). */
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { oneLine } from '../../core/result/format.ts';
import { bearerToken, noToken, unauthorized } from './bearer.ts';
import { refusal, type GateResponse, type Middleware } from '../gate/exchange.ts';
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
  /**
   * Called with a text for the operator if a token of the authorization server has another issuer or audience than
   * the settings. Once for each of the first values.
   */
  readonly onMismatch?: (text: string) => void;
}

/** Asymmetric algorithms only: with a shared secret, whoever can validate tokens could also issue them. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

const clockToleranceSeconds = 5;

export function checkAccessToken(options: OAuthOptions): Middleware {
  const keys = keysOf(options.issuer);
  const missing = unauthorized(challengeOf(options), noToken);
  const invalid = (reason: string) => unauthorized(challengeOf(options, 'invalid_token'), reason);
  const insufficient = insufficientScope(options);
  const unreachable = refusal(
    503,
    "Tokens cannot be checked: the authorization server is unreachable, or its metadata cannot be used. The server's log has the reason.",
    { 'retry-after': String(retryMilliseconds / 1_000) },
  );
  const reported = new Set<string>();
  const report = (text: string) => {
    if (reported.has(text) || reported.size >= mostReports) return;
    reported.add(text);
    options.onMismatch?.(text);
  };

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
      if (isTokenFault(error)) {
        const text = mismatchOf(error, options);
        if (text !== undefined) report(text);
        return invalid(reasonOf(error));
      }
      if (isReachable) options.onUnreachable?.(error);
      isReachable = false;
      return unreachable;
    }
    if (typeof claims.sub !== 'string' || claims.sub === '') {
      return invalid('the token has no subject (sub)');
    }
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
export function insufficientScope(
  options: Pick<OAuthOptions, 'metadataUrl' | 'scopes'>,
): GateResponse {
  const needed = options.scopes.join(' ');
  return refusal(403, `Forbidden: the token needs the scopes "${needed}".`, {
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

/** How many different mismatches are reported: whoever gets tokens for other resources could send any number. */
const mostReports = 100;

/** By claim: the setting that it is compared with. */
const comparedWith = { iss: 'issuer', aud: 'audience' } as const;

/** Describes a token of the authorization server with another issuer or audience. Never includes the token. */
function mismatchOf(error: unknown, options: OAuthOptions): string | undefined {
  // The signature was checked before the claims.
  if (!(error instanceof errors.JWTClaimValidationFailed)) return undefined;
  const { claim, payload } = error;
  if (claim !== 'iss' && claim !== 'aud') return undefined;
  const field = comparedWith[claim];
  const received = claim in payload ? oneLine(JSON.stringify(payload[claim]), 200) : 'missing';
  return `A token was refused, because its ${field} (${claim}) is ${received}, and MCP_OAUTH_${field.toUpperCase()} is "${options[field]}". The two are compared character by character.`;
}

/** Returns the reason for the caller. It names no setting's value. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (!(error instanceof errors.JWTClaimValidationFailed)) {
    return 'the token is no JWT that the authorization server has signed';
  }
  const { claim, reason } = error;
  if (claim === 'aud') return 'the token is for another audience (aud) than this server';
  if (claim === 'iss') return 'the token is of another issuer (iss) than the one that is accepted';
  if (claim === 'nbf') return 'the token is not valid yet (nbf)';
  return `the token's claim ${claim} is ${reason === 'missing' ? 'missing' : 'invalid'}`;
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
