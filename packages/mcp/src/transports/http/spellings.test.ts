/** One thing in several spellings: the endpoint's path, the protocol version of `initialize`, and JSON's start. */
import { request } from 'undici';
import { expect, test } from 'vitest';
import { mcpHeaders, post, startServer } from '../../../test/doubles/http-server.ts';
import { callOf, initializing, notUtf8 } from '../../../test/doubles/messages.ts';
import { modern, modernCall, revision } from '../../../test/doubles/modern-messages.ts';

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

/** Sends each header twice: in two lines, or combined in one as `fetch` does. */
const repetitions: [string, (name: string, first: string, second: string) => [string, string][]][] =
  [
    [
      'in two lines',
      (name, first, second) => [
        [name, first],
        [name, second],
      ],
    ],
    ['in one line', (name, first, second) => [[name, `${first}, ${second}`]]],
  ];

test.each(repetitions)(
  'headers of a modern request that are repeated %s count as one, and may not differ [M29]',
  async (_, repeated) => {
    const { url } = await startServer({ allowedOrigins: ['https://app.example'] });
    const { message, headers } = modernCall('echo_text', { text: 'x' });
    const all = { ...headers, origin: 'https://app.example' };
    const send = (changed?: string) =>
      postRaw(
        url,
        message,
        Object.entries(all).flatMap(([name, value]) =>
          repeated(name, value, name === changed ? 'other' : value),
        ),
      );
    expect(await send()).toMatchObject({ status: 200 });
    for (const name of ['mcp-method', 'mcp-name', 'mcp-protocol-version']) {
      const { status, text } = await send(name);
      expect([name, status]).toEqual([name, 400]);
      expect(JSON.parse(text)).toMatchObject({ id: 7, error: { code: -32_020 } });
    }
    expect((await send('origin')).status).toBeGreaterThanOrEqual(400);
  },
);

test.each(repetitions)(
  'the headers of a session that are repeated %s count as one, and may not differ [M29]',
  async (_, repeated) => {
    const { url } = await startServer({ sessions: { idleSeconds: 60, maxSessions: 10 } });
    const id = String((await post(url, initializing)).headers['mcp-session-id']);
    const echo = callOf(2, 'echo_text', { text: 'x' });
    expect(await postRaw(url, echo, repeated('Mcp-Session-Id', id, id))).toMatchObject({
      status: 200,
    });
    const { status, text } = await postRaw(url, echo, repeated('mcp-session-id', id, 'other'));
    expect(status).toBe(400);
    expect(text).toContain('Mcp-Session-Id was sent more than once, with different values.');

    const streamed = await postRaw(url, echo, [['mcp-session-id', id]]);
    const event = /^id: (.+)$/m.exec(streamed.text)?.[1] ?? '';
    const resume = (first: string, second: string) =>
      request(url, {
        headers: [
          ['accept', 'text/event-stream'],
          ...repeated('mcp-session-id', id, id),
          ...repeated('last-event-id', first, second),
        ].flat(),
      });
    const same = await resume(event, event);
    expect([same.statusCode, await same.body.text()]).toEqual([
      200,
      expect.stringContaining('"id":2'),
    ]);
    const different = await resume(event, 'other');
    expect(different.statusCode).toBe(400);
    expect(await different.body.text()).toMatch(/Last-Event-ID/);
    const end = await request(url, {
      method: 'DELETE',
      headers: repeated('mcp-session-id', id, id).flat(),
    });
    expect(end.statusCode).toBe(200);
    await end.body.dump();
  },
);

test('a name with a comma is no repetition', async () => {
  const { url } = await startServer();
  const { message, headers } = modern('tools/call', { name: 'one, other' });
  const { messages } = await post(url, message, headers);
  expect(messages).toMatchObject([{ error: { message: 'Unknown tool: one, other' } }]);
});

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

test.each(modes)(
  '%s, a body that is not UTF-8 is a parse error without an id [M29]',
  async (_, sessions) => {
    const { url } = await startServer({ sessions });
    const [start = '', end = ''] = JSON.stringify({ ...initializing, id: '?' }).split('?');
    for (const bytes of notUtf8) {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        headers: mcpHeaders,
        body: Buffer.concat([Buffer.from(start), bytes, Buffer.from(end)]),
      });
      expect(statusCode).toBe(400);
      const error = { code: -32_700, message: 'Parse error: this is not UTF-8.' };
      expect(await body.json()).toEqual({ jsonrpc: '2.0', id: null, error });
    }
    expect((await post(url, { ...initializing, id: '\ufffd' })).messages).toMatchObject([
      { id: '\ufffd', result: {} },
    ]);
  },
);
