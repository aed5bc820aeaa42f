import { SignJWT } from 'jose';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from '../../../test/doubles/authorization-server.ts';
import { startGateServer } from '../../../test/doubles/gate-server.ts';
import { authenticate } from './authentication.ts';
import { resourceMetadata } from './oauth.ts';

const audience = 'https://mcp.example.com/mcp';
const metadataUrl = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

let server: AuthorizationServer;

beforeAll(async () => {
  server = await startAuthorizationServer();
});

afterAll(() => server.stop());

async function callWith(
  token: string | undefined,
  issuer = server.issuer,
  scopes: readonly string[] = ['tools:call'],
) {
  const onUnreachable = vi.fn();
  const { url } = await startGateServer(
    authenticate({
      kind: 'oauth',
      issuer,
      audience,
      scopes,
      metadataUrl,
      onUnreachable,
    }),
  );
  const response = await request(url, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    challenge: response.headers['www-authenticate'],
    retryAfter: response.headers['retry-after'],
    caller: (JSON.parse(text) as { caller?: string }).caller,
    text,
    onUnreachable,
  };
}

const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600;

/** Valid claims; each test invalidates one. */
const goodClaims = () => ({
  iss: server.issuer,
  aud: audience,
  sub: 'anna',
  exp: inAnHour(),
  scope: 'tools:call',
});

test('a token of the authorization server for this endpoint is accepted as its subject [M31]', async () => {
  const anna = await callWith(await server.token('anna', audience));
  expect(anna).toMatchObject({ status: 200, caller: JSON.stringify([server.issuer, 'anna']) });
  const bert = await callWith(await server.token('bert', audience, 'tools:admin tools:call'));
  expect(bert).toMatchObject({ status: 200, caller: JSON.stringify([server.issuer, 'bert']) });
});

test('a request without a token gets the address of the metadata [M31]', async () => {
  const { status, challenge } = await callWith(undefined);
  expect(status).toBe(401);
  expect(challenge).toBe(`Bearer resource_metadata="${metadataUrl}", scope="tools:call"`);
  expect(resourceMetadata(audience, { issuer: server.issuer, scopes: ['tools:call'] })).toEqual({
    resource: audience,
    authorization_servers: [server.issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: ['tools:call'],
  });
});

test('if no scope is required, none is named, and any token of the server for this endpoint is accepted [M31]', async () => {
  const { challenge } = await callWith(undefined, server.issuer, []);
  expect(challenge).toBe(`Bearer resource_metadata="${metadataUrl}"`);
  expect(resourceMetadata(audience, { issuer: server.issuer, scopes: [] })).not.toHaveProperty(
    'scopes_supported',
  );
  const token = await server.sign(without('scope'));
  expect((await callWith(token, server.issuer, [])).status).toBe(200);
});

test('every configured scope is required [M31]', async () => {
  const token = await server.sign(goodClaims());
  const both = ['tools:call', 'tools:admin'];
  expect((await callWith(token, server.issuer, both)).status).toBe(403);
  const granted = await server.sign({ ...goodClaims(), scope: 'tools:admin tools:call' });
  expect((await callWith(granted, server.issuer, both)).status).toBe(200);
});

test('clock skew of a few seconds is tolerated', async () => {
  const now = inAnHour() - 3_600;
  for (const claims of [{ exp: now - 3 }, { nbf: now + 3 }]) {
    expect((await callWith(await server.sign({ ...goodClaims(), ...claims }))).status).toBe(200);
  }
  const late = await callWith(await server.sign({ ...goodClaims(), exp: now - 10 }));
  expect(late.status).toBe(401);
});

test('a token without the scope gets a 403 that names it [M31]', async () => {
  const { status, challenge } = await callWith(await server.token('anna', audience, 'tools:admin'));
  expect(status).toBe(403);
  expect(challenge).toBe(
    `Bearer resource_metadata="${metadataUrl}", error="insufficient_scope", scope="tools:call"`,
  );
});

test('scopes may be in `scp`, or in a list', async () => {
  const claims = without('scope');
  expect((await callWith(await server.sign({ ...claims, scp: 'a tools:call' }))).status).toBe(200);
  expect((await callWith(await server.sign({ ...claims, scp: ['tools:call'] }))).status).toBe(200);
  expect((await callWith(await server.sign({ ...claims, scp: ['tools'] }))).status).toBe(403);
});

describe('rejected as an invalid token [M31]', () => {
  test.each<[string, string, () => Promise<string>]>([
    [
      'one for another resource',
      'another audience \\(aud\\)',
      () => server.token('anna', 'https://other.example/mcp'),
    ],
    [
      'one of another issuer',
      'another issuer \\(iss\\)',
      () => server.sign({ ...goodClaims(), iss: 'https://evil.example' }),
    ],
    [
      'one that has expired',
      'has expired',
      () => server.sign({ ...goodClaims(), exp: inAnHour() - 7_200 }),
    ],
    [
      'one that is not valid yet',
      'not valid yet',
      () => server.sign({ ...goodClaims(), nbf: inAnHour() }),
    ],
    ['one without an end', 'claim exp is missing', () => server.sign(without('exp'))],
    ['one without a subject', 'no subject', () => server.sign(without('sub'))],
    ['one without an audience', 'another audience', () => server.sign(without('aud'))],
    ['one signed with another key', 'no JWT', () => server.sign(goodClaims(), 'foreign')],
    ['one that is not signed', 'no JWT', () => Promise.resolve(unsigned())],
    ['one signed with a shared secret', 'no JWT', () => signedBySecret()],
    ['one that was changed', 'no JWT', async () => changed(await server.sign(goodClaims()))],
    ['no JWT', 'no JWT', () => Promise.resolve('opaque')],
  ])('%s', async (_, reason, token) => {
    const { status, challenge, text, onUnreachable } = await callWith(await token());
    expect(status).toBe(401);
    expect(challenge).toContain('error="invalid_token"');
    expect(JSON.parse(text)).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32_000,
        message: expect.stringMatching(`^Unauthorized: .*${reason}`) as string,
      },
      id: null,
    });
    expect(onUnreachable).not.toHaveBeenCalled();
  });
});

test('the unmodified claims are accepted', async () => {
  expect((await callWith(await server.sign(goodClaims()))).status).toBe(200);
});

test('if the keys cannot be fetched, the response is a 503 without details, not a rejected token', async () => {
  const token = await server.sign(goodClaims());
  for (const issuer of ['http://127.0.0.1:1', `${server.issuer}/elsewhere`]) {
    const { status, text, retryAfter, onUnreachable } = await callWith(token, issuer);
    expect([status, retryAfter]).toEqual([503, '5']);
    expect(text).not.toContain('127.0.0.1');
    expect(onUnreachable).toHaveBeenCalledOnce();
  }
});

function without(claim: 'exp' | 'sub' | 'aud' | 'scope') {
  return Object.fromEntries(Object.entries(goodClaims()).filter(([name]) => name !== claim));
}

function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(goodClaims())}.`;
}

function signedBySecret(): Promise<string> {
  return new SignJWT(goodClaims())
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(new TextEncoder().encode('a-secret-that-has-at-least-32-bytes'));
}

function changed(token: string): string {
  const [head, , signature] = token.split('.');
  const claims = Buffer.from(JSON.stringify({ ...goodClaims(), sub: 'bert' })).toString(
    'base64url',
  );
  return [head, claims, signature].join('.');
}
