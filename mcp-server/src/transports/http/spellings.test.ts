/** One thing in several spellings: the endpoint's path, the protocol version of `initialize`, and JSON's start. */
import { request } from 'undici';
import { expect, test } from 'vitest';
import { mcpHeaders, post, startServer } from '../../../test/doubles/http-server.ts';
import { callOf, initializing } from '../../../test/doubles/messages.ts';
import { modernCall, revision } from '../../../test/doubles/modern-messages.ts';

const modes = [
  ['without sessions', undefined],
  ['with sessions', { idleSeconds: 60, maxSessions: 10 }],
] as const;

/** Sends a POST with each header as often as it is given. */
async function postRaw(url: string, message: object, headers: readonly [string, string][]) {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: [...Object.entries(mcpHeaders), ...headers].flat(),
    body: JSON.stringify(message),
  });
  return { status: statusCode, text: await body.text() };
}

test.each(modes)('%s, a path with a final slash is the same path [M29]', async (_, sessions) => {
  const { url } = await startServer({ sessions });
  const { origin } = new URL(url);
  const opened = await post(`${url}/`, initializing);
  expect(opened.messages).toMatchObject([{ id: 1, result: {} }]);
  const { message, headers } = modernCall('echo_text', { text: 'x' });
  expect((await post(`${url}/`, message, headers)).status).toBe(200);
  expect((await fetch(`${origin}/healthz/`)).status).toBe(200);
  expect((await fetch(`${origin}/readyz///`)).status).toBe(200);
  expect((await fetch(`${origin}${'/'.repeat(8_000)}healthz`)).status).toBe(404);
  expect((await fetch(`${origin}//`)).status).toBe((await fetch(origin)).status);
});

test('the metadata’s path may have a final slash, and names the endpoint without one [M31]', async () => {
  const authentication = { kind: 'oauth', issuer: 'http://127.0.0.1:1', audience: 'a', scopes: [] };
  const { url } = await startServer({ authentication: authentication as never });
  for (const path of ['', '/', '/mcp', '/mcp/']) {
    const address = `${new URL(url).origin}/.well-known/oauth-protected-resource${path}`;
    expect(await (await fetch(address)).json()).toMatchObject({ resource: url });
  }
});

const version = 'MCP-Protocol-Version';

test.each(modes)(
  '%s, `initialize` negotiates by its body, whatever MCP-Protocol-Version has [M29]',
  async (_, sessions) => {
    const { url } = await startServer({ sessions });
    for (const headers of [
      [[version, '1999-01-01']],
      [[version, 'nonsense']],
      [[version, '']],
      [[version, revision]],
      [
        [version, '2025-06-18'],
        [version, '2025-11-25'],
      ],
    ] as [string, string][][]) {
      for (const protocolVersion of ['2025-06-18', '2025-11-25']) {
        const params = { ...initializing.params, protocolVersion };
        const { status, text } = await postRaw(url, { ...initializing, params }, headers);
        expect([headers, status]).toEqual([headers, 200]);
        expect(text).toContain(`"protocolVersion":"${protocolVersion}"`);
      }
    }
  },
);

test.each(modes)(
  '%s, a later request may repeat its version, and may not have two [M29]',
  async (_, sessions) => {
    const { url } = await startServer({ sessions });
    const id = (await post(url, initializing)).headers['mcp-session-id'];
    const session: [string, string][] = id === undefined ? [] : [['mcp-session-id', String(id)]];
    const twice = (first: string, second: string) =>
      postRaw(url, callOf(2, 'echo_text', { text: 'x' }), [
        ...session,
        [version, first],
        [version, second],
      ]);
    expect((await twice('2025-11-25', '2025-11-25')).status).toBe(200);
    const { status, text } = await twice('2025-11-25', '2025-06-18');
    expect(status).toBe(400);
    expect(text).toContain('2025-11-25, 2025-06-18');
  },
);

test.each(modes)(
  '%s, a byte order mark before a message is ignored, as over stdio [M28 M29]',
  async (_, sessions) => {
    const { url } = await startServer({ sessions });
    const { status, messages } = await post(url, `\ufeff${JSON.stringify(initializing)}`);
    expect(status).toBe(200);
    expect(messages).toMatchObject([{ id: 1, result: {} }]);
    const { message, headers } = modernCall('echo_text', { text: '\ufeffx' });
    const modern = await post(url, `\ufeff${JSON.stringify(message)}`, headers);
    expect(modern.messages).toMatchObject([{ result: { structuredContent: {} } }]);
    expect((await post(url, '{"jsonrpc":\ufeff"2.0"}')).status).toBe(400);
  },
);
