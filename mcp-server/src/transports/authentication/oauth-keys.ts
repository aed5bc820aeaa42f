/** An authorization server's keys: where its metadata says they are (RFC 8414), read with bounds. */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { isLoopback } from '../listening/address.ts';

/** An issuer that could not be reached is asked again after this. */
export const retryMilliseconds = 5_000;

const metadataTimeoutMilliseconds = 5_000;
/** Of the metadata, and of the key set. */
const maxDocumentBytes = 256 * 1024;

/** The issuer's keys: found by its metadata at the first token, then cached and renewed by jose. */
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

async function findKeys(issuer: string): Promise<JWTVerifyGetKey> {
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
    // A site's own page for any address is no metadata.
    const { data: metadata } = metadataSchema.safeParse(await response.json().catch(() => null));
    if (!metadata) continue;
    const keys = new URL(metadata.jwks_uri);
    if (metadata.issuer !== issuer) throw new Error('The metadata names another issuer');
    if (keys.protocol !== 'https:' && !isLoopback(keys.hostname)) {
      throw new Error('The keys are not served over https');
    }
    return createRemoteJWKSet(keys, { [customFetch]: fetchBounded });
  }
  throw new Error('The authorization server has no metadata');
}

/** `fetch`, whose body fails and ends its connection once it is too large, unpacked. An error's is not read. */
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
