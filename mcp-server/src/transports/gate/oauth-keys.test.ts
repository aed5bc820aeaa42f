/** The way to an issuer's keys: where they are looked for, what may go wrong, and what comes after. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startGateServer } from '../../../test/gate-server.ts';
import { authenticate } from './authentication.ts';

const oauth = '/.well-known/oauth-authorization-server';
const openid = '/.well-known/openid-configuration';

type Page = string | { readonly status: number; readonly location?: string };

/** An authorization server that says what the test lets it say. */
async function startIssuer() {
  const pages = new Map<string, Page>();
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const page = pages.get(url) ?? { status: 404 };
    if (typeof page === 'string') response.end(page);
    else response.writeHead(page.status, page.location ? { location: page.location } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadata = (changes: object = {}) =>
    JSON.stringify({ issuer, jwks_uri: `${issuer}/keys`, ...changes });
  const { url } = await startGateServer(
    authenticate({ kind: 'oauth', issuer, audience: 'a', scopes: [], metadataUrl: 'http://x/' }),
  );
  const key = async (kid: string) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256' };
    const sign = (claims: object = { sub: 'anna' }) =>
      new SignJWT({ iss: issuer, aud: 'a', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setExpirationTime('2h')
        .sign(privateKey);
    return { jwk, sign };
  };
  const status = async (token: string) => {
    const response = await request(url, { headers: { authorization: `Bearer ${token}` } });
    await response.body.dump();
    return response.statusCode;
  };
  return { issuer, pages, asked, metadata, key, status };
}

const keySet = (...keys: object[]) => JSON.stringify({ keys });

test('OpenID’s metadata will do, where the first address has none or a page [M31]', async () => {
  for (const first of [undefined, '<!doctype html>', '{}', 'null']) {
    const { pages, metadata, key, status } = await startIssuer();
    const { jwk, sign } = await key('one');
    if (first !== undefined) pages.set(oauth, first);
    pages.set(openid, metadata()).set('/keys', keySet(jwk));
    expect(await status(await sign())).toBe(200);
  }
});

test.each([
  ['names another issuer', { issuer: 'https://evil.example' }],
  ['leads to keys without TLS', { jwks_uri: 'http://keys.example/keys' }],
  ['leads to no address', { jwks_uri: 'keys' }],
])('metadata that %s is not followed [M31]', async (_, changes) => {
  const { pages, asked, metadata, key, status } = await startIssuer();
  const { jwk, sign } = await key('one');
  pages.set(oauth, metadata(changes)).set('/keys', keySet(jwk));
  expect(await status(await sign())).toBe(503);
  expect(asked).not.toContain('/keys');
});

test('keys that cannot be had now are had later; nobody is let in meanwhile [M31]', async () => {
  const { issuer, pages, metadata, key, status } = await startIssuer();
  const { jwk, sign } = await key('one');
  pages.set(oauth, metadata()).set('/elsewhere', keySet(jwk));
  const faults: Page[] = [
    { status: 500 },
    { status: 302, location: `${issuer}/elsewhere` },
    '<!doctype html>',
    '{}',
    '{"keys":{}}',
  ];
  for (const fault of faults) {
    pages.set('/keys', fault);
    expect(await status(await sign())).toBe(503);
  }
  pages.set('/keys', keySet(jwk));
  expect(await status(await sign())).toBe(200);
});

test('a new key is found when half a minute has passed; unknown ones are not looked for each time [M31]', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { pages, asked, metadata, key, status } = await startIssuer();
  const [one, two] = [await key('one'), await key('two')];
  pages.set(oauth, metadata()).set('/keys', keySet(one.jwk));
  expect(await status(await one.sign())).toBe(200);
  for (let times = 0; times < 5; times += 1) expect(await status(await two.sign())).toBe(401);
  expect(asked.filter((path) => path === '/keys')).toHaveLength(1);
  pages.set('/keys', keySet(two.jwk));
  vi.setSystemTime(Date.now() + 31_000);
  expect(await status(await two.sign())).toBe(200);
  expect(await status(await one.sign())).toBe(401);
});

test.each([[{ sub: '' }], [{ sub: 7 }], [{ sub: { toString: 'anna' } }], [{ sub: ['anna'] }]])(
  'a subject that names nobody is refused: %j [M31]',
  async (claims) => {
    const { pages, metadata, key, status } = await startIssuer();
    const { jwk, sign } = await key('one');
    pages.set(oauth, metadata()).set('/keys', keySet(jwk));
    expect(await status(await sign(claims))).toBe(401);
  },
);
