/**
 * Issuers and audiences are compared character by character (RFC 8414, section 3.3; RFC 7519, section 4.1). A
 * difference of one slash is found by nobody who reads only "401": the log and `--check` have both values.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startAuthorizationServer } from '../../../test/doubles/authorization-server.ts';
import { post, startServer } from '../../../test/doubles/http-server.ts';
import { callOf } from '../../../test/doubles/messages.ts';
import { start } from '../../../test/programs/started-program.ts';

const audience = 'https://mcp.example.com/mcp';

/** Starts an authorization server, and a server whose warnings and errors are kept. */
async function startBoth(issuerOf: (own: string) => string = String) {
  const authorizationServer = await startAuthorizationServer();
  onTestFinished(authorizationServer.stop);
  const issuer = issuerOf(authorizationServer.issuer);
  const logged: string[] = [];
  const { url } = await startServer({
    authentication: { kind: 'oauth', issuer, audience, scopes: [] },
    logged: (line) => {
      const { level, msg } = JSON.parse(line) as { level: string; msg: string };
      if (level === 'warn' || level === 'error') logged.push(msg);
    },
  });
  const call = (token: string) =>
    post(url, callOf(1, 'echo_text', { text: 'x' }), { authorization: `Bearer ${token}` });
  return { authorizationServer, logged, call };
}

test('a token for an audience that differs by a slash is refused, and logged once with both values [M31]', async () => {
  const { authorizationServer, logged, call } = await startBoth();
  const token = await authorizationServer.token('anna', `${audience}/`);
  for (let times = 0; times < 2; times += 1) {
    const { status, text } = await call(token);
    expect(status).toBe(401);
    expect(text).toContain('another audience');
  }
  expect(logged).toEqual([
    `A token was refused, because its audience (aud) is "${audience}/", and MCP_OAUTH_AUDIENCE is "${audience}". The two are compared character by character.`,
  ]);
  expect(logged.join()).not.toContain(token.split('.')[2]);
  const good = await call(await authorizationServer.token('anna', audience));
  expect(good.status).toBe(200);
});

test('a token of another issuer, of several audiences or of none is logged with what it has [M31]', async () => {
  const { authorizationServer, logged, call } = await startBoth();
  const { issuer } = authorizationServer;
  const claims = { iss: issuer, aud: audience, sub: 'anna', exp: Date.now() / 1_000 + 600 };
  expect(
    (await call(await authorizationServer.sign({ ...claims, iss: `${issuer}/` }))).status,
  ).toBe(401);
  expect((await call(await authorizationServer.sign({ ...claims, aud: ['a', 'b'] }))).status).toBe(
    401,
  );
  const { aud, ...none } = claims;
  expect((await call(await authorizationServer.sign(none))).status).toBe(401);
  expect(logged).toEqual([
    expect.stringContaining(`issuer (iss) is "${issuer}/", and MCP_OAUTH_ISSUER is "${issuer}"`),
    expect.stringContaining('audience (aud) is ["a","b"], and MCP_OAUTH_AUDIENCE'),
    expect.stringContaining('audience (aud) is missing, and MCP_OAUTH_AUDIENCE'),
  ]);
  expect(aud).toBe(audience);
});

test('a token that the authorization server has not signed is not logged, whatever it claims [M31]', async () => {
  const { authorizationServer, logged, call } = await startBoth();
  const { issuer } = authorizationServer;
  const claims = { iss: issuer, aud: 'x', sub: 'anna', exp: Date.now() / 1_000 + 600 };
  expect((await call(await authorizationServer.sign(claims, 'foreign'))).status).toBe(401);
  expect(logged).toEqual([]);
});

test('metadata that name the issuer with a slash are not used, and the log has both [M31]', async () => {
  const { authorizationServer, logged, call } = await startBoth((own) => `${own}/`);
  const { issuer } = authorizationServer;
  const token = await authorizationServer.token('anna', audience);
  for (let times = 0; times < 2; times += 1) {
    const { status, text } = await call(token);
    expect(status).toBe(503);
    expect(text).toContain('metadata cannot be used');
  }
  expect(logged).toEqual([
    `MCP_OAUTH_ISSUER is "${issuer}/", and the metadata at ${issuer}/.well-known/oauth-authorization-server name the issuer "${issuer}". The two must be the same, character by character.`,
  ]);
});

/** Runs `--check --http`. */
async function check(env: Record<string, string>) {
  const { ended, output } = start(['--check', '--http'], env);
  const [code] = await ended;
  return { code, ...output };
}

async function startIssuer(metadata: (origin: string) => object | undefined) {
  const server = createServer((_, response) => {
    const found = metadata(origin);
    if (found) response.end(JSON.stringify(found));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return origin;
}

test('--check fetches the metadata, and names the setting and both issuers [M31]', async () => {
  const issuer = await startIssuer((origin) => ({ issuer: `${origin}/`, jwks_uri: `${origin}/k` }));
  const { code, stdout, stderr } = await check({
    MCP_OAUTH_ISSUER: issuer,
    MCP_OAUTH_AUDIENCE: audience,
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^MCP_OAUTH_ISSUER is "[^"\n]+", .*\n$/);
  expect(stderr).toContain(`"${issuer}", and the metadata`);
  expect(stderr).toContain(`"${issuer}/"`);
  const right = await check({ MCP_OAUTH_ISSUER: `${issuer}/`, MCP_OAUTH_AUDIENCE: audience });
  expect(right).toMatchObject({ code: 0, stderr: '' });
  expect(right.stdout).toMatch(/^Nothing is wrong\./);
});

test('--check reports an issuer without metadata as an error, and one that it cannot reach as a warning', async () => {
  const issuer = await startIssuer(() => undefined);
  const none = await check({ MCP_OAUTH_ISSUER: issuer, MCP_OAUTH_AUDIENCE: audience });
  expect(none).toMatchObject({ code: 1, stdout: '' });
  expect(none.stderr).toMatch(/^MCP_OAUTH_ISSUER is ".+", which has no metadata, neither at .+\n$/);
  const away = await check({
    MCP_OAUTH_ISSUER: 'http://127.0.0.1:1',
    MCP_OAUTH_AUDIENCE: audience,
  });
  expect(away.code).toBe(0);
  expect(away.stderr).toMatch(/MCP_OAUTH_ISSUER=http:\/\/127\.0\.0\.1:1 are unchecked/);
  expect(away.stdout).toMatch(/^It can start, but see the warnings\./);
});

test.each([`${audience}/`, 'https://MCP.example.com/mcp', 'https://mcp.example.com:443/mcp'])(
  'the start and --check warn of an audience that spells the endpoint differently: %s [M31]',
  async (spelt) => {
    const issuer = await startIssuer((origin) => ({ issuer: origin, jwks_uri: `${origin}/k` }));
    const publicUrl = 'https://mcp.example.com';
    const { code, stderr } = await check({
      MCP_OAUTH_ISSUER: issuer,
      MCP_OAUTH_AUDIENCE: spelt,
      MCP_PUBLIC_URL: publicUrl,
    });
    expect(code).toBe(0);
    const warning = `MCP_OAUTH_AUDIENCE is "${spelt}", and clients request tokens for "${audience}"`;
    expect(stderr).toContain(warning);
    const lines: string[] = [];
    const authentication = { kind: 'oauth', issuer, audience: spelt, scopes: [] } as const;
    await startServer({ publicUrl, authentication, logged: (line) => lines.push(line) });
    const texts = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(texts).toContainEqual(expect.stringContaining(warning));
  },
);
