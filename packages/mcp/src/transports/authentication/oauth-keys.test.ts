/** Fetching an issuer's keys: discovery, failures and recovery. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startGateServer } from '../../../test/doubles/gate-server.ts';
import { authenticate } from './authentication.ts';

const oauth = '/.well-known/oauth-authorization-server';
const openid = '/.well-known/openid-configuration';

type Page =
  | string
  | { readonly status: number; readonly location?: string }
  | ((response: ServerResponse) => unknown);

/** An authorization server whose responses the test controls. */
async function startIssuer(path = '') {
  const pages = new Map<string, Page>();
  const requested: string[] = [];
  const onUnreachable = vi.fn();
  let open = 0;
  const server = createServer(({ url = '' }, response) => {
    requested.push(url);
    open += 1;
    response.once('close', () => (open -= 1));
    const page = pages.get(url) ?? { status: 404 };
    if (typeof page === 'string') response.end(page);
    else if (typeof page === 'function') page(response);
    else response.writeHead(page.status, page.location ? { location: page.location } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = origin + path;
  const metadata = (changes: object = {}) =>
    JSON.stringify({ issuer, jwks_uri: `${origin}/keys`, ...changes });
  const { url } = await startGateServer(
    authenticate({
      kind: 'oauth',
      issuer,
      audience: 'a',
      scopes: [],
      metadataUrl: 'http://x/',
      onUnreachable,
    }),
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
  return { issuer, pages, requested, responding: () => open, metadata, key, status, onUnreachable };
}

const keySet = (...keys: object[]) => JSON.stringify({ keys });

test('OpenID’s metadata is used if the first address returns an error or an HTML page [M31]', async () => {
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
  const { pages, requested, metadata, key, status } = await startIssuer();
  const { jwk, sign } = await key('one');
  pages.set(oauth, metadata(changes)).set('/keys', keySet(jwk));
  const fetched = vi.spyOn(globalThis, 'fetch');
  expect(await status(await sign())).toBe(503);
  expect(requested).not.toContain('/keys');
  const addresses = fetched.mock.calls.map(([address]) => address);
  expect(JSON.stringify(addresses)).not.toContain('keys');
});

test.each<[string, (metadata: string, issuer: string) => Page]>([
  ['stands elsewhere', (_, issuer) => ({ status: 302, location: `${issuer}/elsewhere` })],
  ['comes with an error', (text) => (response) => response.writeHead(404).end(text)],
])('metadata that %s is rejected [M31]', async (_, spoilt) => {
  const { issuer, pages, requested, metadata, key, status } = await startIssuer();
  const { jwk, sign } = await key('one');
  pages.set(oauth, spoilt(metadata(), issuer)).set('/elsewhere', metadata());
  pages.set('/keys', keySet(jwk));
  expect(await status(await sign())).toBe(503);
  expect(requested).not.toContain('/keys');
});

test('after a failure to fetch the keys they are fetched again; until then, no token is accepted [M31]', async () => {
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

/** The maximum size of a document, in bytes. */
const most = 256 * 1024;

const packed =
  (document: string): Page =>
  (response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(document));

const endless = (response: ServerResponse) => {
  response.flushHeaders();
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(16 * 1024)));
  };
  response.on('drain', more);
  more();
};

test.each<[string, (document: string) => Page]>([
  ['too large by a byte', (document) => document.padEnd(most + 1)],
  ['too large once it is unpacked', (document) => packed(document.padEnd(most + 1))],
  ['without end', () => endless],
  [
    'an error without end',
    () => (response) => {
      response.statusCode = 500;
      endless(response);
    },
  ],
])(
  'a document that is %s is rejected; one of the maximum size is read [M31]',
  async (_, spoilt) => {
    const { pages, metadata, key, status, responding } = await startIssuer();
    const { jwk, sign } = await key('one');
    const keys = keySet(jwk);
    pages.set(oauth, spoilt(metadata())).set(openid, metadata().padEnd(most));
    pages.set('/keys', spoilt(keys));
    expect(await status(await sign())).toBe(503);
    pages.set('/keys', packed(keys.padEnd(most)));
    expect(await status(await sign())).toBe(200);
    await expect.poll(() => responding()).toBe(0);
  },
);

test.each<[string, Page]>([
  ['never begins', () => undefined],
  ['never ends', (response) => response.write(' ')],
])('a document that %s is abandoned after a timeout [M31]', async (_, slow) => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(100));
  const ofMetadata = await startIssuer();
  ofMetadata.pages.set(oauth, slow).set(openid, ofMetadata.metadata());
  const ofKeys = await startIssuer();
  ofKeys.pages.set(oauth, ofKeys.metadata()).set('/keys', slow);
  for (const { key, status, responding } of [ofMetadata, ofKeys]) {
    const { sign } = await key('one');
    expect(await status(await sign())).toBe(503);
    await expect.poll(() => responding()).toBe(0);
  }
  expect(ofMetadata.requested).toEqual([oauth]);
  expect(timeouts.mock.calls).toEqual([[5_000], [5_000], [5_000]]);
});

test('an issuer without metadata is asked again after five seconds, not earlier [M31]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { pages, requested, metadata, key, status } = await startIssuer();
  const { jwk, sign } = await key('one');
  const token = await sign();
  expect(await status(token)).toBe(503);
  pages.set(oauth, metadata()).set('/keys', keySet(jwk));
  vi.advanceTimersByTime(4_999);
  expect(await status(token)).toBe(503);
  expect(requested).toEqual([oauth, openid]);
  vi.advanceTimersByTime(1);
  expect(await status(token)).toBe(200);
});

test('for an issuer with a path, both metadata addresses follow their specifications [M31]', async () => {
  for (const where of [`${oauth}/realm`, `/realm${openid}`]) {
    const { pages, metadata, key, status } = await startIssuer('/realm');
    const { jwk, sign } = await key('one');
    pages.set(where, metadata()).set('/keys', keySet(jwk));
    expect(await status(await sign())).toBe(200);
  }
});

test('a failure to fetch the keys is reported once, however many tokens arrive [M31]', async () => {
  const { pages, metadata, key, status, onUnreachable } = await startIssuer();
  const { jwk, sign } = await key('one');
  pages.set(oauth, metadata()).set('/keys', { status: 500 });
  for (let times = 0; times < 5; times += 1) expect(await status(await sign())).toBe(503);
  expect(onUnreachable).toHaveBeenCalledOnce();
  pages.set('/keys', keySet(jwk));
  expect(await status(await sign())).toBe(200);
});

test('a new key is found after 30 seconds; unknown key ids do not cause a fetch each time [M31]', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { pages, requested, metadata, key, status } = await startIssuer();
  const [first, second] = [await key('one'), await key('two')];
  pages.set(oauth, metadata()).set('/keys', keySet(first.jwk));
  expect(await status(await first.sign())).toBe(200);
  for (let times = 0; times < 5; times += 1) expect(await status(await second.sign())).toBe(401);
  expect(requested.filter((path) => path === '/keys')).toHaveLength(1);
  pages.set('/keys', keySet(second.jwk));
  vi.setSystemTime(Date.now() + 31_000);
  expect(await status(await second.sign())).toBe(200);
  expect(await status(await first.sign())).toBe(401);
});

test('two keys are valid during rotation; a withdrawn key is accepted for ten more minutes at most [M31]', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { pages, requested, metadata, key, status } = await startIssuer();
  const [first, second] = [await key('one'), await key('two')];
  pages.set(oauth, metadata()).set('/keys', keySet(first.jwk, second.jwk));
  const tokens = [await first.sign(), await second.sign()];
  const statuses = async () => [await status(tokens[0] ?? ''), await status(tokens[1] ?? '')];
  expect(await statuses()).toEqual([200, 200]);
  pages.set('/keys', keySet(second.jwk));
  vi.setSystemTime(Date.now() + 600_000);
  expect(await statuses()).toEqual([401, 200]);
  expect(requested.filter((path) => path === '/keys')).toHaveLength(2);
});

test.each([[{ sub: '' }], [{ sub: 7 }], [{ sub: { toString: 'anna' } }], [{ sub: ['anna'] }]])(
  'a subject without content is rejected: %j [M31]',
  async (claims) => {
    const { pages, metadata, key, status } = await startIssuer();
    const { jwk, sign } = await key('one');
    pages.set(oauth, metadata()).set('/keys', keySet(jwk));
    expect(await status(await sign(claims))).toBe(401);
  },
);
