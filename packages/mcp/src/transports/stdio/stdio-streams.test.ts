/** stdio with in-memory streams: partial lines, slow readers, and each way in which it can end. */
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { callOf, initializing, notUtf8 } from '../../../test/doubles/messages.ts';
import { createProbeService, type ProbeState } from '../../../test/probes/probe-service.ts';
import { createRuntime } from '../../adapters/runtime.ts';
import { createLog } from '../../core/context/log.ts';
import { LineReader } from './line-reader.ts';
import { runStdio, type StdioOptions } from './stdio.ts';

type Message = Readonly<Record<string, unknown>>;

/** Starts the transport. Its output is not read until `read` is called. */
async function serve(options: Partial<StdioOptions> = {}) {
  let logged = '';
  const runtime = await createRuntime({
    service: createProbeService(),
    version: '1.2.3',
    log: createLog({ level: 'info', stream: { write: (line) => void (logged += line) } }),
  });
  // `autoDestroy: false` tests `end` without a following `close`.
  const stdin = new PassThrough({ autoDestroy: false });
  const stdout = new PassThrough();
  const ended = runStdio({ runtime, stdin, stdout, drainMs: 60_000, ...options });
  onTestFinished(async () => {
    stdout.destroy();
    await ended;
    await runtime.stop();
  });
  let text = '';
  const { events } = runtime.state as ProbeState;
  return {
    stdin,
    stdout,
    ended,
    events,
    logged: () => logged,
    read: () => stdout.on('data', (chunk: Buffer) => (text += chunk.toString())),
    messages: () =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Message),
    send: (...messages: Message[]) => {
      for (const message of messages) stdin.write(`${JSON.stringify(message)}\n`);
    },
  };
}

const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' });
const pong = (id: number | string) => ({ jsonrpc: '2.0', id, result: {} });

test('lines may arrive in any chunks, and in any script [M28]', async () => {
  const { stdin, read, messages, ended } = await serve();
  read();
  const ids = ['grüße', '你好', 'x'];
  const lines = ids.map((id) => JSON.stringify(ping(id)));
  for (const byte of Buffer.from(`${lines[0]}\r\n`)) stdin.write(Buffer.from([byte]));
  stdin.end(`${lines[1]}\n \r\n${lines[2]}\n{"jsonrpc":"2.0","id":"no end","method":"ping"}`);
  await ended;
  expect(messages()).toEqual(ids.map(pong));
});

test('a line that is not UTF-8 is a parse error without an id, and the next line is read [M28]', async () => {
  const { stdin, read, messages, ended } = await serve();
  read();
  for (const bytes of notUtf8) {
    const [start, end] = JSON.stringify(ping('?')).split('?');
    stdin.write(Buffer.concat([Buffer.from(start ?? ''), bytes, Buffer.from(`${end}\n`)]));
  }
  stdin.end(`${JSON.stringify(ping('\ufffd'))}\n`);
  await ended;
  const error = { code: -32_700, message: 'Parse error: this is not UTF-8.' };
  expect(messages()).toEqual([
    ...notUtf8.map(() => ({ jsonrpc: '2.0', id: null, error })),
    pong('\ufffd'),
  ]);
});

test('a line of the maximum length is read; one byte more is rejected, whatever its length [M28]', async () => {
  const [longest = '', again = '', longer = ''] = [7, 8, 77].map((id) => JSON.stringify(ping(id)));
  const { stdin, read, messages, ended } = await serve({ maxLineBytes: longest.length });
  read();
  for (const text of [`${longest}\n${longest}`, ' ', '\n', `${longer}\n`, `${again}\n`]) {
    stdin.write(text);
  }
  stdin.end();
  await ended;
  const refused = {
    code: -32_600,
    message: expect.stringMatching(/^Invalid Request: a message may have \d+ bytes\.$/) as string,
  };
  const tooLong = { jsonrpc: '2.0', id: null, error: refused };
  // The rejection is sent at once; the other responses follow in order.
  const isRefusal = (message: Message) => 'error' in message;
  expect(messages().filter(isRefusal)).toEqual([tooLong, tooLong]);
  expect(messages().filter((message) => !isRefusal(message))).toEqual([pong(7), pong(8)]);
});

/** Sends requests until they are no longer read. Returns their number. */
async function pingUnread({ stdin, send }: Awaited<ReturnType<typeof serve>>): Promise<number> {
  let requested = 0;
  for (; !stdin.isPaused() && requested < 5_000; requested += 1) {
    send(ping(requested));
    await nextTurn();
  }
  expect(stdin.isPaused()).toBe(true);
  return requested;
}

test('input is not read while the client does not read its responses', async () => {
  const served = await serve();
  const requested = await pingUnread(served);
  served.send(ping('last'));
  await nextTurn();
  expect(served.stdin.readableLength).toBeGreaterThan(0);
  served.read();
  served.stdin.end();
  await served.ended;
  expect(served.messages()).toHaveLength(requested + 1);
});

test('input after the stop is not read, even when the output drains again', async () => {
  const ending = new AbortController();
  const served = await serve({ ending: ending.signal });
  const requested = await pingUnread(served);
  ending.abort();
  served.send(ping('last'));
  const drained = once(served.stdout, 'drain');
  served.read();
  await Promise.all([drained, served.ended]);
  await nextTurn();
  expect(served.messages()).toHaveLength(requested);
  expect(served.stdin.readableLength).toBeGreaterThan(0);
});

test('a stop before the start takes effect', async () => {
  const { stdin, ended } = await serve({ ending: AbortSignal.abort() });
  await ended;
  expect(stdin.isPaused()).toBe(true);
});

test.each<[string, (stdin: PassThrough) => void]>([
  ['ends', (stdin) => stdin.end()],
  ['closes', (stdin) => stdin.destroy()],
  ['breaks', (stdin) => stdin.destroy(new Error('EIO'))],
])('an input that %s ends the transport', async (_, end) => {
  const { stdin, ended } = await serve();
  end(stdin);
  await ended;
});

test.each<[string, Error | undefined]>([
  ['closes', undefined],
  ['breaks', new Error('EPIPE')],
])('an output that %s aborts running calls', async (_, error) => {
  const { stdout, send, ended, events } = await serve();
  send(callOf(1, 'wait_long'));
  await expect.poll(() => events).toEqual(['waiting']);
  stdout.destroy(error);
  await ended;
  await expect.poll(() => events).toEqual(['waiting', 'aborted']);
});

test('a call that runs longer than the drain time gets an error, and its later response is not written', async () => {
  const { stdin, stdout, read, messages, send, ended, events, logged } = await serve({
    drainMs: 20,
  });
  read();
  send(callOf(1, 'clean_up'));
  await expect.poll(() => events).toEqual(['waiting']);
  stdin.end();
  await ended;
  expect(logged()).toContain('Calls were still running at the shutdown deadline');
  await expect.poll(() => events).toEqual(['waiting', 'cleaned up']);
  expect(messages()).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'The server is shutting down' } },
  ]);
  expect(stdout.writableLength).toBe(0);
});

test('a cancelled call is not waited for, and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { stdin, send, ended, events } = await serve();
  send(callOf('a', 'clean_up'));
  await expect.poll(() => events).toEqual(['waiting']);
  const params = { requestId: 'a' };
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  stdin.end();
  await ended;
  expect(vi.getTimerCount()).toBe(0);
});

test('a request with the id of one in progress is refused; that one is answered, and the id is free again [M28]', async () => {
  const { read, messages, send } = await serve();
  read();
  send(callOf(1, 'wait_briefly'), callOf(1, 'echo_text', { text: 'twice' }));
  await expect.poll(() => messages().length).toBe(2);
  const [refused, responded] = messages();
  expect(refused).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, message: 'Invalid Request: a request with this id is in progress.' },
  });
  expect(responded).toMatchObject({ id: 1, result: { structuredContent: { text: 'waited' } } });
  send(ping(1));
  await expect.poll(() => messages().at(-1)).toEqual(pong(1));
});

test('a request stays cancellable after another one with its id, and is waited for at the end [M28]', async () => {
  const { stdin, read, messages, send, ended, events } = await serve();
  read();
  send(callOf(1, 'wait_long'), callOf(1, 'wait_long'), callOf(2, 'wait_briefly'), ping(2));
  await expect.poll(() => messages().length).toBe(2);
  stdin.end(
    `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })}\n`,
  );
  await ended;
  expect(events).toEqual(['waiting', 'aborted']);
  expect(messages().at(-1)).toMatchObject({ id: 2, result: {} });
});

test.each<[string, object]>([
  ['a reason that is no text', { requestId: 1, reason: 5 }],
  ['no id', {}],
  ['the id of another call', { requestId: 2 }],
  ['an id that is none', { requestId: [1] }],
])('a cancellation with %s cancels nothing, and the call is answered [M28]', async (_, params) => {
  const { stdin, read, messages, send, ended } = await serve();
  read();
  send(callOf(1, 'wait_briefly'), { jsonrpc: '2.0', method: 'notifications/cancelled', params });
  stdin.end();
  await ended;
  expect(messages()).toMatchObject([{ id: 1, result: { structuredContent: { text: 'waited' } } }]);
});

test('the first call, whose id is 0, is answered even if it was cancelled [M28]', async () => {
  const { stdin, read, messages, send, ended } = await serve();
  read();
  const params = { requestId: 0 };
  send(callOf(0, 'wait_briefly'), { jsonrpc: '2.0', method: 'notifications/cancelled', params });
  stdin.end();
  await ended;
  expect(messages()).toMatchObject([{ id: 0, result: { structuredContent: { text: 'waited' } } }]);
});

test('a cancellation and a request with the same id in one chunk: only the earlier call is cancelled [M28]', async () => {
  const { stdin, read, messages, send, ended, events } = await serve();
  read();
  send(callOf(1, 'wait_long'));
  await expect.poll(() => events).toEqual(['waiting']);
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const lines = [cancelled, callOf(1, 'echo_text', { text: 'x' })].map((message) =>
    JSON.stringify(message),
  );
  stdin.write(`${lines.join('\n')}\n`);
  await expect.poll(() => events).toEqual(['waiting', 'aborted']);
  // Refused, not lost.
  await expect.poll(messages).toMatchObject([{ id: null, error: { code: -32600 } }]);
  send(callOf(1, 'echo_text', { text: 'again' }));
  stdin.end();
  await ended;
  expect(messages().at(-1)).toMatchObject({ id: 1, result: {} });
});

test('the end of the input waits until a refusal is written [M28]', async () => {
  const stdout = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _encoding, done) => {
      setImmediate(() => {
        written += chunk.toString();
        done();
      });
    },
  });
  let written = '';
  const { stdin, ended } = await serve({ stdout });
  stdin.end('not JSON\nnot JSON\n');
  await ended;
  expect(written.split('\n')).toHaveLength(3);
});

test('a question to the user has its own id space: a call with the same id is still waited for [M23]', async () => {
  const { stdin, read, messages, send, ended } = await serve();
  read();
  const capabilities = { elicitation: { form: {} } };
  send({ ...initializing, params: { ...initializing.params, capabilities } });
  send(callOf(0, 'wait_briefly'), callOf(2, 'ask_user', { text: 'text' }));
  const requested = { id: 0, method: 'elicitation/create' };
  await expect.poll(() => messages()).toContainEqual(expect.objectContaining(requested));
  send({ jsonrpc: '2.0', id: 0, result: { action: 'decline' } });
  stdin.end();
  await ended;
  expect(messages().at(-1)).toMatchObject({ id: 0, result: {} });
});

test.each(['before', 'after'])(
  'a question that was asked %s the end of the input is not waited for [M23]',
  async (when) => {
    const { stdin, read, messages, send, ended } = await serve();
    read();
    const capabilities = { elicitation: { form: {} } };
    send({ ...initializing, params: { ...initializing.params, capabilities } });
    send(callOf(2, 'ask_user', { text: 'text' }));
    const requested = { method: 'elicitation/create' };
    if (when === 'before')
      await expect.poll(() => messages()).toContainEqual(expect.objectContaining(requested));
    stdin.end();
    await ended;
    expect(messages().at(-1)).toMatchObject({ id: 2, result: { isError: true } });
  },
);

test('a line without an end is not buffered', async () => {
  const tooLong = vi.fn();
  const lines = new LineReader(1_000, { line: vi.fn(), tooLong });
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const before = process.memoryUsage().arrayBuffers;
  for (let megabytes = 0; megabytes < 64; megabytes += 1) lines.push(Buffer.alloc(2 ** 20, 'x'));
  const kept = () => {
    collect();
    return process.memoryUsage().arrayBuffers - before;
  };
  await expect.poll(kept).toBeLessThan(16 * 2 ** 20);
  lines.push(Buffer.from('\n'));
  expect(tooLong).toHaveBeenCalledOnce();
});
