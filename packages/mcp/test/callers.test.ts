/** Callers over HTTP: named tokens with separate accounts, and the claims and scopes of OAuth callers. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createUpstreamProbe } from './probes/upstream-probe.ts';
import { startAuthorizationServer } from './doubles/authorization-server.ts';
import { textOf } from './doubles/connected-client.ts';
import { connectOverHttp, post, startServer } from './doubles/http-server.ts';
import { callOf, initializing } from './doubles/messages.ts';
import { modernCall } from './doubles/modern-messages.ts';
import { json, startUpstreamDouble } from '../src/testing/upstream-double.ts';
import { createProbeService } from './probes/probe-service.ts';

const tokens = new Map([
  ['anna', 'annas-token-0123456789'],
  ['bert', 'berts-token-0123456789'],
]);
const authorizationOf = (name: string) => ({ authorization: `Bearer ${tokens.get(name) ?? ''}` });

/** Enters a secret on the page with this URL. @returns The page's content before. */
async function enter(url: string, secret: string): Promise<string> {
  const page = await (await request(url)).body.text();
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ secret }).toString(),
  });
  await body.dump();
  expect(statusCode).toBe(200);
  return page;
}

type Call = (name: string, args?: Record<string, unknown>) => Promise<unknown>;

/** Connects a client of that era, whose user enters `<name>s-key` when asked for a key. */
async function connectAs(era: string, url: string, name: string, pages: string[]): Promise<Call> {
  const capabilities = { elicitation: { url: {} } };
  const respond = async (params: object) => {
    pages.push(await enter('url' in params ? String(params.url) : '', `${name}s-key`));
    return { action: 'accept' as const };
  };
  if (era === 'older') {
    const { client } = await connectOverHttp(url, authorizationOf(name), { capabilities });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => respond(params));
    return (tool, args = {}) => client.callTool({ name: tool, arguments: args });
  }
  const client = new ModernClient(
    { name, version: '0' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => respond(params));
  onTestFinished(() => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: authorizationOf(name) },
    }),
  );
  return (tool, args = {}) => client.callTool({ name: tool, arguments: args });
}

test.each(['older', '2026-07-28'])(
  'each named caller uses the account that it connected: %s [M30 M31]',
  async (era) => {
    const upstream = await startUpstreamDouble();
    onTestFinished(() => upstream.close());
    upstream.reply((response, request) => {
      const me = { id: request.headers.authorization ?? '', name: 'Somebody' };
      json(request.url === '/me' ? me : {})(response, request);
    });
    const { url } = await startServer({
      service: createUpstreamProbe({ baseUrl: upstream.url, token: 'shared' }),
      authentication: { kind: 'named bearers', tokens },
      sessions: { idleSeconds: 60, maxSessions: 10 },
    });
    const pages: string[] = [];
    const anna = await connectAs(era, url, 'anna', pages);
    const bert = await connectAs(era, url, 'bert', pages);
    const usedBy = async (call: Call) => {
      await call('probe_search_users', { query: 'ada' });
      return upstream.requests.at(-1)?.headers.authorization;
    };
    expect([await usedBy(anna), await usedBy(bert)]).toEqual(['Bearer shared', 'Bearer shared']);
    await anna('probe_connect_account');
    expect([await usedBy(anna), await usedBy(bert)]).toEqual(['Bearer annas-key', 'Bearer shared']);
    await bert('probe_connect_account');
    expect([await usedBy(anna), await usedBy(bert)]).toEqual([
      'Bearer annas-key',
      'Bearer berts-key',
    ]);
    // The page names its caller, so that another user who is sent there notices.
    expect(pages.map((page) => /<b>(\w+)<\/b>/.exec(page)?.[1])).toEqual(['anna', 'bert']);
  },
);

test('a session belongs to the caller whose token opened it [M29 M31]', async () => {
  const { url } = await startServer({
    authentication: { kind: 'named bearers', tokens },
    sessions: { idleSeconds: 60, maxSessions: 10 },
  });
  const opened = await post(url, initializing, authorizationOf('anna'));
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const call = (name: string) =>
    post(url, callOf(2, 'show_context'), { ...session, ...authorizationOf(name) });
  expect((await call('anna')).text).toContain('bearer:anna');
  expect((await call('bert')).status).toBe(404);
});

const audience = 'https://mcp.example.com/mcp';

/** Starts a server with one tool that requires more scopes than the others, and one that shows its caller. */
async function startOAuth({ sessions = false } = {}) {
  const authorizationServer = await startAuthorizationServer();
  onTestFinished(authorizationServer.stop);
  const service = createProbeService();
  const tools = service.tools.map((tool) => {
    if (tool.name === 'probe_echo_text') return { ...tool, scopes: ['tools:admin'] };
    if (tool.name !== 'probe_show_context') return tool;
    return {
      ...tool,
      handler: (_: object, { caller }: Parameters<typeof tool.handler>[1]) =>
        Promise.resolve({ text: JSON.stringify([caller.scopes, caller.claims?.['sub']]) }),
    };
  });
  const { issuer } = authorizationServer;
  const { url } = await startServer({
    service: { ...service, tools },
    authentication: { kind: 'oauth', issuer, audience, scopes: ['tools:call'] },
    ...(sessions && { sessions: { idleSeconds: 60, maxSessions: 10 } }),
  });
  const headersFor = async (scope: string) => ({
    authorization: `Bearer ${await authorizationServer.token('anna', audience, scope)}`,
  });
  return {
    url,
    lesser: await headersFor('tools:call'),
    greater: await headersFor('tools:call tools:admin'),
  };
}

type Send = (
  tool: string,
  args: Record<string, string>,
  headers: Record<string, string>,
) => ReturnType<typeof post>;

/**
 * Sends requests in a session that the token with more scopes opened: a later request with the other token gets
 * fewer rights.
 */
async function sendIn(mode: string, { url, greater }: Awaited<ReturnType<typeof startOAuth>>) {
  let session: Record<string, string> = {};
  if (mode === 'older, in a session') {
    const opened = await post(url, initializing, greater);
    session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  }
  const send: Send = (tool, args, headers) => {
    if (mode !== '2026-07-28') return post(url, callOf(2, tool, args), { ...session, ...headers });
    const { message, headers: named } = modernCall(tool, args);
    return post(url, message, { ...named, ...headers });
  };
  return send;
}

describe.each(['older', 'older, in a session', '2026-07-28'])('%s', (mode) => {
  const start = () => startOAuth({ sessions: mode === 'older, in a session' });

  test('a tool’s scopes are required of an OAuth caller, with a challenge that names them [M31]', async () => {
    const server = await start();
    const send = await sendIn(mode, server);
    const refused = await send('echo_text', { text: 'hi' }, server.lesser);
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toBe(
      `Bearer resource_metadata="${new URL(server.url).origin}/.well-known/oauth-protected-resource/mcp", ` +
        'error="insufficient_scope", scope="tools:call tools:admin"',
    );
    expect(refused.text).not.toContain('"text"');
    const { status, text } = await send('echo_text', { text: 'hi' }, server.greater);
    expect(status).toBe(200);
    expect(text).toContain('"text":"hi"');
    // Other tools require no additional scopes.
    expect((await send('read_note', { text: 'note://notes/a' }, server.lesser)).status).toBe(200);
  });

  test('each request’s own claims and scopes reach the tool [M24 M31]', async () => {
    const server = await start();
    const send = await sendIn(mode, server);
    const text = async (headers: Record<string, string>) => {
      const { messages } = await send('show_context', {}, headers);
      const { structuredContent } = messages.at(-1)?.['result'] as {
        structuredContent: { text: string };
      };
      return JSON.parse(structuredContent.text) as unknown;
    };
    expect(await text(server.greater)).toEqual([['tools:call', 'tools:admin'], 'anna']);
    expect(await text(server.lesser)).toEqual([['tools:call'], 'anna']);
  });
});

test('the metadata lists the scopes of tools too, and the token itself is never exposed [M31]', async () => {
  const { url, greater } = await startOAuth();
  const metadata = await request(`${new URL(url).origin}/.well-known/oauth-protected-resource`);
  expect(await metadata.body.json()).toMatchObject({
    scopes_supported: ['tools:call', 'tools:admin'],
  });
  const { text } = await post(url, callOf(1, 'show_context'), greater);
  expect(text).not.toContain(greater.authorization.slice('Bearer '.length));
});

test('no scopes are required of static tokens and of local callers [M31]', async () => {
  const service = createProbeService();
  const tools = service.tools.map((tool) => ({ ...tool, scopes: ['tools:admin'] }));
  const open = await startServer({ service: { ...service, tools } });
  const named = await startServer({
    service: { ...service, tools },
    authentication: { kind: 'named bearers', tokens },
  });
  for (const [url, headers] of [
    [open.url, {}],
    [named.url, authorizationOf('anna')],
  ] as const) {
    const { client } = await connectOverHttp(url, headers);
    const given = await client.callTool({ name: 'probe_echo_text', arguments: { text: 'hi' } });
    expect(textOf(given)).toBe('hi');
  }
});
