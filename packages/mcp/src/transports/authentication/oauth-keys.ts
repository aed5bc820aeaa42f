/** The keys of an authorization server: located through its metadata (RFC 8414), and fetched with limits. */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { oneLine } from '../../core/result/format.ts';
import { isLoopback } from '../listening/address.ts';

/** Delay before an unreachable issuer is asked again. */
export const retryMilliseconds = 5_000;

const metadataTimeoutMilliseconds = 5_000;
const maxDocumentBytes = 256 * 1024;

/**
 * The authorization server's metadata exclude the configured issuer, so that retrying does not help. The message is
 * for the operator, and names the setting.
 */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
}

/** Returns the issuer's keys: located through its metadata at the first token, then cached and refreshed by jose. */
export function keysOf(issuer: string): JWTVerifyGetKey {
  let found: Promise<JWTVerifyGetKey> | undefined;
  return async (...given) => {
    found ??= findKeys(issuer).catch((error: unknown) => {
      setTimeout(() => {
        found = undefined;
      }, retryMilliseconds).unref();
      throw error;
    });
    return (await found)(...given);
  };
}

const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** @throws IssuerError; another error if the server cannot be reached. */
export async function findKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  // RFC 8414, then OpenID Connect Discovery.
  const addresses = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  const signal = AbortSignal.timeout(metadataTimeoutMilliseconds);
  for (const address of addresses) {
    const response = await fetchBounded(address, { redirect: 'error', signal });
    if (!response.ok) continue;
    // A site may return an HTML page for any path.
    const { data: metadata } = metadataSchema.safeParse(await response.json().catch(() => null));
    if (!metadata) continue;
    const keys = new URL(metadata.jwks_uri);
    // RFC 8414, section 3.3: identical, so that another server cannot be passed off as this one.
    if (metadata.issuer !== issuer) {
      throw new IssuerError(
        `MCP_OAUTH_ISSUER is "${issuer}", and the metadata at ${address} name the issuer "${oneLine(metadata.issuer, 200)}". The two must be the same, character by character.`,
      );
    }
    if (keys.protocol !== 'https:' && !isLoopback(keys.hostname)) {
      throw new IssuerError(
        `The metadata of MCP_OAUTH_ISSUER, at ${address}, name keys that are not served over https: "${oneLine(keys.href, 200)}".`,
      );
    }
    return createRemoteJWKSet(keys, { [customFetch]: fetchBounded });
  }
  throw new IssuerError(
    `MCP_OAUTH_ISSUER is "${issuer}", which has no metadata, neither at ${addresses.join(' nor at ')}.`,
  );
}

/**
 * `fetch` with a limit on the decompressed body: a larger one fails and closes its connection. The body of an error
 * response is not read.
 */
async function fetchBounded(...given: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...given);
  if (!response.ok) {
    await response.body?.cancel();
    return new Response(null, response);
  }
  let left = maxDocumentBytes;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left < 0) controller.error(new Error('The document is too large'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(bound) ?? null, response);
}
