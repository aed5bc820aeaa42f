/** A server with a static token, called by a client that looks for OAuth as soon as it reads a 401. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../../test/doubles/http-server.ts';

const bearer = { kind: 'bearer', token: 'a-token-of-sixteen' } as const;
const named = { kind: 'named bearers', tokens: new Map([['anna', 'a-token-of-sixteen']]) } as const;

/** What an application with OAuth gives the SDK's client. */
const provider: OAuthClientProvider = {
  redirectUrl: 'http://127.0.0.1:1/callback',
  clientMetadata: { redirect_uris: ['http://127.0.0.1:1/callback'] },
  clientInformation: () => undefined,
  saveClientInformation: () => undefined,
  tokens: () => undefined,
  saveTokens: () => undefined,
  redirectToAuthorization: () => undefined,
  saveCodeVerifier: () => undefined,
  codeVerifier: () => 'verifier',
};

test.each([bearer, named])(
  'the SDK’s client reports what the server takes: %j [M31]',
  async (authentication) => {
    const { url } = await startServer({ authentication });
    const client = new Client({ name: 'test', version: '0' });
    onTestFinished(() => client.close());
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
    const error: unknown = await client.connect(transport as never).catch((e: unknown) => e);
    expect(String(error)).toContain('This server has no OAuth. It takes a token');
    expect(String(error)).not.toContain('Invalid OAuth error response');
  },
);

test('OAuth’s paths are answered in OAuth’s form, with any method [M31]', async () => {
  const { url } = await startServer({ authentication: bearer });
  for (const [method, path] of [
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/.well-known/oauth-authorization-server/mcp'],
    ['GET', '/.well-known/openid-configuration'],
    ['POST', '/register'],
    ['POST', '/token'],
    ['GET', '/authorize'],
    ['POST', '/revoke'],
  ] as const) {
    const { statusCode, body } = await request(new URL(url).origin + path, { method });
    expect([path, statusCode]).toEqual([path, 404]);
    expect(await body.json()).toEqual({
      error: 'not_found',
      error_description: expect.stringContaining('"Authorization: Bearer <token>"') as string,
    });
  }
  const { statusCode, headers, body } = await request(`${new URL(url).origin}/healthz`, {
    method: 'POST',
  });
  expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD']);
  expect(await body.json()).toMatchObject({ error: 'invalid_request' });
});

test('with OAuth, a path that is not served names where the authorization server is [M31]', async () => {
  const authentication = { kind: 'oauth', issuer: 'http://127.0.0.1:1', audience: 'a', scopes: [] };
  const { url } = await startServer({ authentication: authentication as never });
  const { body } = await request(`${new URL(url).origin}/register`, { method: 'POST' });
  expect(await body.json()).toMatchObject({
    error_description: expect.stringContaining(
      '/.well-known/oauth-protected-resource/mcp',
    ) as string,
  });
});
