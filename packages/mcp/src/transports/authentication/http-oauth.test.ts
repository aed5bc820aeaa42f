/** OAuth with the complete server: from the first 401 to a call, and the restrictions on OAuth callers. */
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startAuthorizationServer } from '../../../test/doubles/authorization-server.ts';
import { textOf } from '../../../test/doubles/connected-client.ts';
import { connectOverHttp, post, startServer } from '../../../test/doubles/http-server.ts';
import { callOf, initializing } from '../../../test/doubles/messages.ts';

test('an OAuth client discovers the authorization server from the 401, and calls as its subject [M31]', async () => {
  const authorizationServer = await startAuthorizationServer();
  onTestFinished(authorizationServer.stop);
  const { issuer } = authorizationServer;
  const audience = 'https://mcp.example.com/mcp';
  const { url } = await startServer({
    authentication: { kind: 'oauth', issuer, audience, scopes: ['tools:call'] },
  });
  const refused = await post(url, callOf(1, 'show_context'));
  expect(refused.status).toBe(401);
  const challenge = String(refused.headers['www-authenticate']);
  const [, metadataUrl = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  for (const address of [metadataUrl, metadataUrl.replace(/\/mcp$/, '')]) {
    const { headers, body } = await request(address);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(await body.json()).toEqual({
      resource: url,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: ['tools:call'],
    });
  }
  for (const person of ['anna', 'bert'] as const) {
    const token = await authorizationServer.token(person, audience);
    const { messages } = await post(url, callOf(1, 'show_context'), {
      authorization: `Bearer ${token}`,
    });
    const text = `probe_mcp probe ${JSON.stringify([issuer, person])}`;
    expect(messages[0]).toMatchObject({ result: { structuredContent: { text } } });
  }
});

test('an unreachable authorization server is logged [M31]', async () => {
  const logged = vi.fn();
  const issuer = 'http://127.0.0.1:1';
  const { url } = await startServer({
    logged,
    authentication: { kind: 'oauth', issuer, audience: 'mcp', scopes: [] },
  });
  const token = [{ alg: 'RS256', kid: 'one' }, { iss: issuer, aud: 'mcp' }, 'signed']
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const { status } = await post(url, initializing, { authorization: `Bearer ${token}` });
  expect(status).toBe(503);
  expect(logged).toHaveBeenCalledWith(
    expect.stringContaining('The authorization server is unreachable'),
  );
});

test('an OAuth caller is not asked for a secret, because a page cannot verify that its visitor is the caller [M30]', async () => {
  const authorizationServer = await startAuthorizationServer();
  onTestFinished(authorizationServer.stop);
  const { issuer } = authorizationServer;
  const audience = 'https://mcp.example.com/mcp';
  const { url, state } = await startServer({
    authentication: { kind: 'oauth', issuer, audience, scopes: [] },
    sessions: { idleSeconds: 60, maxSessions: 10 },
  });
  const token = await authorizationServer.token('anna', audience);
  const { client } = await connectOverHttp(
    url,
    { authorization: `Bearer ${token}` },
    { capabilities: { elicitation: { form: {}, url: {} } } },
  );
  const requested = vi.fn(() => ({ action: 'accept' as const }));
  client.setRequestHandler(ElicitRequestSchema, requested);
  const result = await client.callTool({ name: 'probe_connect_account', arguments: {} });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('PROBE_API_TOKEN');
  expect(requested).not.toHaveBeenCalled();
  expect(state.secrets.size).toBe(0);
});
