import { Client, request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  connectOverHttp,
  mcpHeaders,
  post,
  startServer,
} from '../../../test/doubles/http-server.ts';
import { callOf, initializing } from '../../../test/doubles/messages.ts';
import { RunningCalls } from '../../core/context/running-calls.ts';

const keep = { idleSeconds: 60, maxSessions: 5 };

test('shutdown lets calls finish, and accepts no more connections', async () => {
  const { url, close } = await startServer({ drainMs: 5_000 });
  const call = post(url, callOf(1, 'wait_briefly'));
  await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' });
  const closed = close();
  expect((await call).messages[0]).toMatchObject({ id: 1, result: {} });
  await closed;
  await expectRefused(url);
});

test('shutdown leaves no timer for stalled readers or idle sessions', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { close } = await startServer({ sessions: keep });
  expect(vi.getTimerCount()).toBe(2);
  await close();
  expect(vi.getTimerCount()).toBe(0);
});

test.each(['end', 'giveUp'] as const)(
  'everyone who waits for calls is told of their end, and no timer is left: %s',
  async (over) => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const running = new RunningCalls();
    running.begin();
    const finished = [running.finished(10_000), running.finished(20_000)];
    running[over]();
    await Promise.all(finished);
    expect(vi.getTimerCount()).toBe(0);
  },
);

test('while calls finish, responses on open connections have `Connection: close`', async () => {
  const { url, state, close } = await startServer({ drainMs: 60_000 });
  const stays = expect(post(url, callOf(1, 'wait_long'))).resolves.toMatchObject({ status: 503 });
  const kept = new Client(new URL(url).origin);
  onTestFinished(() => kept.destroy());
  const brief = await kept.request({
    method: 'POST',
    path: '/mcp',
    headers: mcpHeaders,
    body: JSON.stringify(callOf(1, 'wait_briefly', {}, { progressToken: 1 })),
  });
  await expect.poll(() => state.events).toEqual(['waiting']);
  const closed = close();
  expect(await brief.body.text()).toContain('"result"');
  const { statusCode, headers, body } = await kept.request({ method: 'GET', path: '/readyz' });
  expect([statusCode, await body.json()]).toEqual([503, { status: 'draining' }]);
  expect(headers.connection).toBe('close');
  await Promise.all([close(), closed, stays]);
});

test.each([
  ['without sessions', undefined],
  ['with sessions', keep],
])(
  '%s a call that arrives while others finish is answered, and is the last on its connection',
  async (_, sessions) => {
    const { url, state, close } = await startServer({ drainMs: 60_000, sessions });
    const { client, transport } = await connectOverHttp(url);
    const running = client
      .callTool({ name: 'probe_wait_long', arguments: {} })
      .catch(() => undefined);
    await expect.poll(() => state.events).toEqual(['waiting']);
    const kept = new Client(new URL(url).origin);
    onTestFinished(() => kept.destroy());
    const session = sessions && { 'mcp-session-id': transport.sessionId ?? '' };
    const call = async () => {
      const { headers, body } = await kept.request({
        method: 'POST',
        path: '/mcp',
        headers: { ...mcpHeaders, ...session },
        body: JSON.stringify(callOf(7, 'echo_text', { text: 'hi' })),
      });
      return { connection: headers['connection'], text: await body.text() };
    };
    expect((await call()).connection).toBe('keep-alive');
    const closed = close();
    const last = await call();
    expect(last.connection).toBe('close');
    expect(last.text).toContain('"result"');
    await expect(call()).rejects.toThrow('ECONNREFUSED');
    await Promise.all([close(), closed, running, client.close()]);
  },
);

const cutCall = {
  jsonrpc: '2.0',
  id: 7,
  error: { code: -32_603, message: 'The server is shutting down' },
};

test('a call that still runs after the drain time is aborted, and its client gets an error', async () => {
  const { url, state, close } = await startServer({ drainMs: 50 });
  const call = post(url, callOf(7, 'wait_long'));
  await expect.poll(() => state.events).toEqual(['waiting']);
  await close();
  const { status, messages } = await call;
  expect([status, messages]).toEqual([503, [cutCall]]);
  await expect.poll(() => state.events).toEqual(['waiting', 'aborted']);
});

test('so it is in a session, also on the stream with which its client has resumed it', async () => {
  const { url, state, close } = await startServer({ drainMs: 50, sessions: keep });
  const opened = await post(url, initializing);
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const lost = new AbortController();
  const broken = post(url, callOf(7, 'wait_long'), session, lost.signal).catch(() => undefined);
  await expect.poll(() => state.events).toEqual(['waiting']);
  lost.abort();
  await broken;
  // The first event of the call: the one before was that of `initialize`.
  const resumed = request(url, {
    headers: { accept: 'text/event-stream', 'last-event-id': '3', ...session },
  }).then(({ body }) => body.text());
  const other = post(url, callOf(8, 'wait_long'), session);
  await expect.poll(() => state.events).toEqual(['waiting', 'waiting']);
  await close();
  expect((await other).messages).toEqual([{ ...cutCall, id: 8 }]);
  expect(JSON.parse(/^data: (.+)$/m.exec(await resumed)?.[1] ?? '')).toEqual(cutCall);
  await expect.poll(() => state.events).toEqual(['waiting', 'waiting', 'aborted', 'aborted']);
});

test('shutdown waits for a call whose client has resumed it', async () => {
  const { url, close } = await startServer({ drainMs: 5_000, sessions: keep });
  const opened = await post(url, initializing);
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const { body } = await request(url, {
    method: 'POST',
    headers: { ...mcpHeaders, ...session },
    body: JSON.stringify(callOf(7, 'wait_briefly')),
  });
  body.on('error', () => undefined).destroy();
  const resumed = await request(url, {
    headers: { accept: 'text/event-stream', 'last-event-id': '3', ...session },
  });
  await close();
  expect(await resumed.body.text()).toContain('"result"');
});

test('a call that shutdown aborts can clean up before its service stops', async () => {
  const { url, state, close, runtime } = await startServer({ drainMs: 1 });
  const cut = post(url, callOf(1, 'clean_up'));
  await expect.poll(() => state.events).toEqual(['waiting']);
  await close();
  expect((await cut).status).toBe(503);
  await runtime.stop();
  expect(state.events).toEqual(['waiting', 'cleaned up', 'stopped']);
});

test('a second shutdown request takes effect at once', async () => {
  const { url, state, close } = await startServer({ drainMs: 60_000 });
  const cut = expect(post(url, callOf(1, 'wait_long'))).resolves.toMatchObject({ status: 503 });
  await expect.poll(() => state.events).toEqual(['waiting']);
  const [first, second] = [close(), close()];
  await Promise.all([first, cut]);
  expect(second).toBe(first);
});

test('shutdown closes sessions and their streams too', async () => {
  const { url, close } = await startServer({ drainMs: 60_000, sessions: keep });
  const { transport } = await connectOverHttp(url);
  const stream = await request(url, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': transport.sessionId ?? '' },
  });
  const ended = stream.body.text().catch(() => undefined);
  await close();
  await ended;
  await expectRefused(url);
});

async function expectRefused(url: string): Promise<void> {
  await expect(request(new URL('/healthz', url))).rejects.toThrow(/ECONNREFUSED|closed|ECONNRESET/);
}
