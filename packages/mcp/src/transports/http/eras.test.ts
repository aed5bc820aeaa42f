/** Selection of the era of a request over HTTP, and the errors for each kind of invalid request. */
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { post, startServer } from '../../../test/doubles/http-server.ts';
import { callOf, initializing } from '../../../test/doubles/messages.ts';
import { metaOf, modern, modernCall, revision } from '../../../test/doubles/modern-messages.ts';

const version = 'mcp-protocol-version';
const serverInfo = { name: 'probe_mcp', title: 'Probe', version: '1.2.3' };
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };

async function send(
  url: string,
  { message, headers }: ReturnType<typeof modern>,
  changes: Record<string, string | undefined> = {},
) {
  const sent = Object.entries({ ...headers, ...changes }).filter(
    ([, value]) => value !== undefined,
  );
  const { status, messages } = await post(url, message, Object.fromEntries(sent) as never);
  return {
    status,
    response: messages.at(-1) as { id: unknown; result?: unknown; error?: unknown },
  };
}

test('`server/discover` returns the revisions, capabilities and identity without a session [M29]', async () => {
  const { url } = await startServer();
  const { status, response } = await send(url, modern('server/discover'));
  expect(status).toBe(200);
  expect(response).toEqual({
    jsonrpc: '2.0',
    id: 7,
    result: {
      resultType: 'complete',
      supportedVersions: [
        revision,
        LATEST_PROTOCOL_VERSION,
        '2025-06-18',
        '2025-03-26',
        '2024-11-05',
        '2024-10-07',
      ],
      capabilities: {
        tools: {},
        logging: {},
        resources: { subscribe: true, listChanged: true },
        prompts: {},
        completions: {},
      },
      instructions: 'Probe with care.',
      ttlMs: 300_000,
      cacheScope: 'public',
      _meta,
    },
  });
});

test.each(['stateless', 'sessions'])(
  'one endpoint serves both eras alternately, %s for the older one [M29]',
  async (mode) => {
    const sessions = { idleSeconds: 60, maxSessions: 10 };
    const { url } = await startServer(mode === 'sessions' ? { sessions } : {});
    const opened = await post(url, initializing);
    const id = opened.headers['mcp-session-id'];
    const older = id === undefined ? {} : { 'mcp-session-id': String(id) };
    for (let times = 0; times < 2; times += 1) {
      const text = `time ${times}`;
      const now = await send(url, modernCall('echo_text', { text }), older);
      expect(now.response.result).toMatchObject({
        resultType: 'complete',
        structuredContent: { text },
        _meta: { ..._meta, callId: expect.any(String) as string },
      });
      const { messages } = await post(url, callOf(1, 'echo_text', { text }), older);
      expect(messages).toMatchObject([{ result: { structuredContent: { text } } }]);
      expect(messages[0]?.['result']).not.toHaveProperty('resultType');
    }
  },
);

describe('cache hints', () => {
  test.each([
    ['tools/list', {}, 300_000, 'public'],
    ['prompts/list', {}, 300_000, 'public'],
    ['resources/templates/list', {}, 300_000, 'public'],
    ['resources/list', {}, 0, 'private'],
    ['resources/read', { uri: 'note://notes/a' }, 0, 'private'],
    ['resources/read', { uri: 'picture://pictures/a' }, 60_000, 'private'],
  ] as const)('%s %j', async (method, params, ttlMs, cacheScope) => {
    const { url } = await startServer();
    for (let times = 0; times < 2; times += 1) {
      const { response } = await send(url, modern(method, params));
      expect(response.result).toMatchObject({ resultType: 'complete', ttlMs, cacheScope, _meta });
    }
  });

  test('are absent from other results, and in the older era', async () => {
    const { url } = await startServer();
    const prompt = await send(
      url,
      modern('prompts/get', { name: 'greet', arguments: { who: 'Ada' } }),
    );
    expect(prompt.response.result).toMatchObject({ resultType: 'complete' });
    expect(prompt.response.result).not.toHaveProperty('ttlMs');
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'picture://pictures/a' },
    };
    const { messages } = await post(url, message);
    expect(Object.keys(messages[0]?.['result'] as object)).toEqual(['contents']);
  });
});

test.each([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'nonsense',
  'toString',
])('the modern era has no %s, and responds with 404', async (method) => {
  const { url } = await startServer();
  const { status, response } = await send(url, modern(method));
  expect(status).toBe(404);
  expect(response).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32_601, message: 'Method not found' },
  });
});

describe('an unsupported revision', () => {
  const named = (value: unknown) =>
    metaOf({}, { 'io.modelcontextprotocol/protocolVersion': value });

  test('gets an error with the supported revisions', async () => {
    const { url } = await startServer();
    const { status, response } = await send(url, modern('tools/list', {}, named('2099-01-01')), {
      [version]: '2099-01-01',
    });
    expect(status).toBe(400);
    expect(response).toMatchObject({
      id: 7,
      error: {
        code: -32_022,
        data: {
          requested: '2099-01-01',
          supported: [
            revision,
            '2025-11-25',
            '2025-06-18',
            '2025-03-26',
            '2024-11-05',
            '2024-10-07',
          ],
        },
      },
    });
  });

  test('of the older era: the error lists the modern revisions only', async () => {
    const { url } = await startServer();
    const { response } = await send(url, modern('tools/list', {}, named('2025-11-25')), {
      [version]: '2025-11-25',
    });
    expect(response.error).toMatchObject({ code: -32_022, data: { supported: [revision] } });
  });

  test('only in the header is rejected, and named in one short line [M29]', async () => {
    const { url } = await startServer();
    const { status, messages } = await post(url, callOf(1, 'echo_text'), {
      [version]: `1999-01-01${'x'.repeat(1_000)}`,
    });
    expect(status).toBe(400);
    expect(messages).toEqual([
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32_000,
          message: expect.stringMatching(/"1999-01-01x{69}…" .*2026-07-28, 2025-11-25/) as string,
        },
      },
    ]);
    expect((await post(url, callOf(1, 'echo_text'), { [version]: '2025-06-18' })).status).toBe(200);
  });
});

test.each([
  ['no _meta', null, 'protocolVersion'],
  ['an empty one', {}, 'protocolVersion'],
  [
    'a version that is no text',
    metaOf({}, { 'io.modelcontextprotocol/protocolVersion': 7 }),
    undefined,
  ],
  [
    'no capabilities',
    metaOf({}, { 'io.modelcontextprotocol/clientCapabilities': undefined }),
    'clientCapabilities',
  ],
  ['capabilities that are none', metaOf([] as never), 'clientCapabilities'],
  [
    'a client without a version',
    metaOf({}, { 'io.modelcontextprotocol/clientInfo': { name: 'x' } }),
    'clientInfo',
  ],
  ['an unknown log level', metaOf({}, { 'io.modelcontextprotocol/logLevel': 'loud' }), 'logLevel'],
])(
  'a modern request with %s is malformed, and never handled as an older one',
  async (_, meta, field) => {
    const { url } = await startServer();
    const { status, response } = await send(url, modern('tools/list', {}, meta));
    expect(status).toBe(400);
    expect(response.id).toBe(7);
    if (field === undefined) expect(response.error).toMatchObject({ code: -32_020 });
    else {
      const message = expect.stringMatching(
        `^Invalid params: _meta\\.io\\.modelcontextprotocol/${field} must be `,
      ) as string;
      expect(response.error).toEqual({ code: -32_602, message });
    }
  },
);

test('the client info is optional', async () => {
  const { url } = await startServer();
  const meta = metaOf({}, { 'io.modelcontextprotocol/clientInfo': undefined });
  expect((await send(url, modern('tools/list', {}, meta))).status).toBe(200);
});

/** Escapes the characters that have a meaning in a regular expression. */
const escaped = (text: string) => text.replace(/[.*+?/]/g, '\\$&');

describe('headers', () => {
  const call = modernCall('echo_text', { text: 'x' });
  const read = modern('resources/read', { uri: 'note://notes/a' });
  const prompt = modern('prompts/get', { name: 'greet', arguments: { who: 'Ada' } });

  test.each([
    ['no version', call, { [version]: undefined }, 'MCP-Protocol-Version'],
    ['another version', call, { [version]: '2025-11-25' }, 'MCP-Protocol-Version'],
    ['no method', call, { 'mcp-method': undefined }, 'Mcp-Method'],
    ['another method', call, { 'mcp-method': 'tools/list' }, 'Mcp-Method'],
    ['a method in another case', call, { 'mcp-method': 'Tools/Call' }, 'Mcp-Method'],
    ['no name', call, { 'mcp-name': undefined }, 'Mcp-Name'],
    ['another name', call, { 'mcp-name': 'probe_keep_file' }, 'Mcp-Name'],
    ['another address', read, { 'mcp-name': 'note://notes/b' }, 'Mcp-Name'],
    ['no prompt', prompt, { 'mcp-name': undefined }, 'Mcp-Name'],
    ['base64 that is none', call, { 'mcp-name': '=?base64?*?=' }, 'Mcp-Name'],
  ])(
    '%s is a mismatch, and rejected before the request is handled',
    async (_, sent, changes, header) => {
      const { url } = await startServer();
      const { status, response } = await send(url, sent, changes);
      expect(status).toBe(400);
      const all: Record<string, string | undefined> = { ...sent.headers, ...changes };
      const given = all[header.toLowerCase()];
      const received = given === undefined ? 'missing' : `"${given}"`;
      const message = expect.stringMatching(
        `^Header mismatch: ${header} is ${escaped(received)}, and the body says ".+"$`,
      ) as string;
      expect(response).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32_020, message } });
    },
  );

  test('a name that is not valid in a header is sent in Base64', async () => {
    const { url } = await startServer();
    const uri = 'note://notes/für';
    const header = `=?base64?${Buffer.from(uri).toString('base64')}?=`;
    const { status, response } = await send(url, modern('resources/read', { uri }), {
      'mcp-name': header,
    });
    expect(status).toBe(200);
    expect(response.result).toMatchObject({ contents: [{ uri }] });
  });

  test('requests of the older era need no headers', async () => {
    const { url } = await startServer();
    const changed = { 'mcp-method': 'nonsense', 'mcp-name': 'nonsense' };
    expect((await post(url, callOf(1, 'echo_text', { text: 'x' }), changed)).status).toBe(200);
  });
});

test('a missing resource is -32602 in the modern era, and -32002 in the older one [M19]', async () => {
  const { url } = await startServer();
  const uri = 'nothing://here';
  const { status, response } = await send(url, modern('resources/read', { uri }));
  expect(status).toBe(200);
  expect(response.error).toEqual({ code: -32_602, message: 'Resource not found', data: { uri } });
  const older = await post(url, {
    jsonrpc: '2.0',
    id: 1,
    method: 'resources/read',
    params: { uri },
  });
  expect(older.messages).toMatchObject([{ error: { code: -32_002 } }]);
});

test('a notification of the modern era is accepted and ignored: a client cancels by disconnecting', async () => {
  const { url } = await startServer({ sessions: { idleSeconds: 60, maxSessions: 10 } });
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  const { status, text } = await post(url, message, { [version]: revision });
  expect({ status, text }).toEqual({ status: 202, text: '' });
});

test('log messages are sent only to clients that request them, from the requested level [M22]', async () => {
  const { url } = await startServer();
  const levels = async (level?: string) => {
    const meta = metaOf(
      {},
      level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level },
    );
    const { message, headers } = modernCall('write_logs', {}, meta);
    const { messages } = await post(url, message, headers);
    return messages.flatMap(
      ({ params }) => (params as { level?: string } | undefined)?.level ?? [],
    );
  };
  expect(await levels()).toEqual([]);
  expect(await levels('error')).toEqual(['error']);
  expect(await levels('debug')).toEqual(['debug', 'info', 'error']);
});

test('progress is sent before the result, on the same stream [M21]', async () => {
  const { url } = await startServer();
  const { message, headers } = modernCall('report_steps', {}, metaOf({}, { progressToken: 'x' }));
  const { messages } = await post(url, message, headers);
  expect(messages.map(({ method }) => method)).toEqual([
    'notifications/progress',
    'notifications/progress',
    undefined,
  ]);
  expect(messages.at(-1)).toMatchObject({ id: 7, result: { resultType: 'complete' } });
});

test('disconnecting aborts a call, also if sessions are enabled', async () => {
  const { url, state } = await startServer({ sessions: { idleSeconds: 60, maxSessions: 10 } });
  const { message, headers } = modernCall('wait_long');
  const hangUp = new AbortController();
  const pending = post(url, message, headers, hangUp.signal);
  await expect.poll(() => state.events).toEqual(['waiting']);
  hangUp.abort();
  await expect(pending).rejects.toThrow();
  await expect.poll(() => state.events).toEqual(['waiting', 'aborted']);
});

test('the modern era ignores sessions', async () => {
  const { url } = await startServer({ sessions: { idleSeconds: 60, maxSessions: 10 } });
  const headers = { 'mcp-session-id': 'no-such-session' };
  const { message, headers: own } = modern('tools/list');
  const response = await post(url, message, { ...own, ...headers });
  expect(response.status).toBe(200);
  expect(response.headers['mcp-session-id']).toBeUndefined();
  const { statusCode, body } = await request(url, {
    headers: { ...own, accept: 'text/event-stream' },
  });
  await body.dump();
  expect(statusCode).toBe(400);
});
