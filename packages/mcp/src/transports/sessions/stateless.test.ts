import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { request } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { textOf } from '../../../test/doubles/connected-client.ts';
import {
  connectOverHttp,
  mcpHeaders,
  post,
  startServer,
} from '../../../test/doubles/http-server.ts';
import { callOf, initializing } from '../../../test/doubles/messages.ts';
import { start, toolRuns } from '../../../test/questions/question-probe.ts';

test('a client lists, calls, reads and completes over HTTP without any state on the server [M29]', async () => {
  const { url } = await startServer();
  const { client, transport } = await connectOverHttp(url);
  expect(client.getServerVersion()).toMatchObject({ name: 'probe_mcp', version: '1.2.3' });
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  const shown = await client.callTool({ name: 'probe_show_context', arguments: {} });
  expect(textOf(shown)).toBe('probe_mcp probe local');
  const { contents } = await client.readResource({ uri: 'note://notes/one' });
  expect(contents).toEqual([expect.objectContaining({ text: 'The note one.' })]);
  const prompt = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
  expect(prompt.messages).toHaveLength(1);
  await client.ping();
  expect(transport.sessionId).toBeUndefined();
});

test('two servers are interchangeable: either can answer any request [M29]', async () => {
  const server = await startServer();
  const other = await startServer();
  const hello = await post(server.url, initializing);
  expect(hello.headers['mcp-session-id']).toBeUndefined();
  const { messages } = await post(other.url, callOf(2, 'echo_text', { text: 'here' }));
  expect(textOf(messages[0]?.['result'])).toBe('here');
});

test('concurrent callers with the same request ids each get their own response', async () => {
  const { url } = await startServer();
  const ids = [1, 0, '1', 'one', -5];
  const responses = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const id = ids[index % ids.length] ?? 1;
      const text = `caller ${index}`;
      const { messages } = await post(url, callOf(id, 'echo_text', { text }));
      return [messages[0]?.['id'] === id, textOf(messages[0]?.['result']) === text];
    }),
  );
  expect(responses.flat().every(Boolean)).toBe(true);
});

describe('progress and logs', () => {
  test('turn the response into an event stream that ends with the result [M21]', async () => {
    const { url } = await startServer();
    const response = await post(url, callOf(7, 'report_steps', {}, { progressToken: 'mine' }));
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    });
    expect(response.messages.at(0)).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'mine', progress: 1 },
    });
    expect(response.messages.at(-1)).toMatchObject({ id: 7, result: {} });
  });

  test('arrive complete and in order, whatever their size', async () => {
    const { url } = await startServer();
    const { messages } = await post(url, callOf(7, 'log_at_length', { text: '20' }));
    expect(messages.map(({ method }) => method)).toEqual([
      ...Array<string>(20).fill('notifications/message'),
      undefined,
    ]);
  });

  test('wait for a client that does not read, without delaying others', async () => {
    const { url, state } = await startServer();
    const { body } = await request(url, {
      method: 'POST',
      headers: mcpHeaders,
      body: JSON.stringify(callOf(1, 'log_at_length', { text: '400' })),
    });
    expect((await post(url, callOf(1, 'echo_text', { text: 'x' }))).status).toBe(200);
    expect(state.events).toEqual([]);
    body.on('error', () => undefined).destroy();
  });

  test('that are sent at once wait together for a client that does not read', async () => {
    const warned = vi.spyOn(process, 'emitWarning');
    let started: () => void = () => undefined;
    const isStarted = new Promise<void>((resolve) => (started = resolve));
    toolRuns(async (context) => {
      const lines = Array<string>(20).fill('x'.repeat(2_000));
      const sent = Array.from({ length: 400 }, () => context.logInfo('much', { lines }));
      started();
      await Promise.all(sent);
      return 'sent';
    });
    const { url } = await start();
    const { body } = await request(url, {
      method: 'POST',
      headers: mcpHeaders,
      body: JSON.stringify(callOf(1, 'run_test')),
    });
    await isStarted;
    expect((await post(url, callOf(2, 'echo_text', { text: 'x' }))).status).toBe(200);
    const text = await body.text();
    expect(text.match(/^event: message$/gm)).toHaveLength(401);
    expect(warned).not.toHaveBeenCalled();
  });

  test('get keep-alive comments while they are silent', async () => {
    const { url } = await startServer();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { body } = await request(url, {
      method: 'POST',
      headers: mcpHeaders,
      body: JSON.stringify(callOf(1, 'wait_briefly', {}, { progressToken: 1 })),
    });
    vi.advanceTimersByTime(15_000);
    expect(await body.text()).toMatch(/^event: [^]+\n\n: still at work\n\nevent: [^]+"result"/);
    await expect.poll(() => vi.getTimerCount()).toBe(0);
  });

  test('are sent to the caller of the call only', async () => {
    const { url } = await startServer();
    const heard = await Promise.all(
      [1, 2].map(async (number) => {
        const { client } = await connectOverHttp(url);
        const lines: unknown[] = [];
        client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
          lines.push(params.data);
        });
        const name = number === 1 ? 'probe_write_logs' : 'probe_echo_text';
        await client.callTool({ name, arguments: number === 1 ? {} : { text: 'x' } });
        return lines.length;
      }),
    );
    expect(heard[0]).toBeGreaterThan(0);
    expect(heard[1]).toBe(0);
  });
});

describe('a client that disconnects', () => {
  test('aborts its own call only', async () => {
    const { url, state } = await startServer();
    const hangUp = new AbortController();
    const left = post(url, callOf(1, 'wait_long'), {}, hangUp.signal);
    const stays = post(url, callOf(1, 'wait_briefly'));
    await expect.poll(() => state.events).toEqual(['waiting']);
    hangUp.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => state.events).toEqual(['waiting', 'aborted']);
    expect((await stays).messages[0]).toMatchObject({ id: 1, result: {} });
  });

  test('aborts the reading of a resource too', async () => {
    const { url, state } = await startServer();
    const hangUp = new AbortController();
    const params = { uri: 'note://notes/slow' };
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params };
    const left = expect(post(url, read, {}, hangUp.signal)).rejects.toThrow();
    await expect.poll(() => state.events).toEqual(['reading']);
    hangUp.abort();
    await left;
    await expect.poll(() => state.events).toEqual(['reading', 'aborted']);
  });

  test('aborts its call during an event stream too', async () => {
    const { url, state } = await startServer();
    const response = await request(url, {
      method: 'POST',
      headers: mcpHeaders,
      body: JSON.stringify(callOf(1, 'wait_long', {}, { progressToken: 1 })),
    });
    response.body.once('data', () => response.body.on('error', () => undefined).destroy());
    await expect.poll(() => state.events).toEqual(['waiting', 'aborted']);
    expect(response.headers['content-type']).toBe('text/event-stream');
  });

  test('is the only way to cancel: a posted cancellation has no effect', async () => {
    const { url, state } = await startServer();
    const call = post(url, callOf(1, 'wait_briefly'));
    for (const requestId of [1, 2, 3]) {
      const params = { requestId, reason: 'mischief' };
      const response = await post(url, {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params,
      });
      expect(response).toMatchObject({ status: 202, text: '' });
    }
    expect((await call).messages[0]).toMatchObject({ id: 1, result: {} });
    expect(state.events).toEqual([]);
  });
});

test('elicitation is rejected, with an alternative [M23] [M30]', async () => {
  const { url } = await startServer();
  for (const tool of ['ask_user', 'connect_account']) {
    const { messages } = await post(
      url,
      callOf(1, tool, tool === 'ask_user' ? { text: 'text' } : {}),
    );
    expect(messages[0]).toMatchObject({ id: 1, result: { isError: true } });
  }
});

test('100,000 hostile keys produce a small response [M09]', async () => {
  const { url } = await startServer({ maxBodyBytes: 8 * 1024 * 1024 });
  const args = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, index) => [`<script>${index}`, 1]),
  );
  const response = await post(url, callOf(1, 'echo_text', args));
  expect(response.messages[0]).toMatchObject({ result: { isError: true } });
  expect(response.text.length).toBeLessThan(2_000);
});

test('GET and DELETE require sessions: 405', async () => {
  const { url } = await startServer();
  for (const method of ['GET', 'DELETE'] as const) {
    const { statusCode, headers, body } = await request(url, { method, headers: mcpHeaders });
    expect([statusCode, headers.allow]).toEqual([405, 'POST']);
    await body.dump();
  }
});

test('a response has its duration', async () => {
  const { url } = await startServer();
  const { headers } = await post(url, callOf(1, 'wait_briefly'));
  const [, total] = /^total;dur=(\d+\.\d)$/.exec(String(headers['server-timing'])) ?? [];
  expect(Number(total)).toBeGreaterThan(250);
});

test('a list that never changes is the same for every caller, with the request’s own id', async () => {
  const { url } = await startServer();
  const list = async (id: unknown) => {
    const { messages } = await post(url, { jsonrpc: '2.0', id, method: 'tools/list' });
    return messages[0];
  };
  const [first, second] = [await list(1), await list('two "quoted"')];
  expect(first).toMatchObject({ jsonrpc: '2.0', id: 1 });
  expect(second).toEqual({ ...first, id: 'two "quoted"' });
});
