/** Callers who take no answer, ask for more than one can be given, or do not come to an end of asking. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mcpHeaders, post, startServer } from '../../../test/doubles/http-server.ts';
import { callOf, initializing } from '../../../test/doubles/messages.ts';

const posted = (message: unknown, ...further: readonly string[]) => {
  const body = JSON.stringify(message);
  const lines = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `Content-Type: ${mcpHeaders['content-type']}`,
    `Accept: ${mcpHeaders.accept}`,
    `Content-Length: ${body.length}`,
    ...further,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
};

/** Ends with the test. Until somebody listens to its data it reads nothing. */
async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  return socket;
}

/** The server's end of the next connection, which tells whether it is watched. */
function serverEnd(): Promise<Socket> {
  return new Promise((resolve) => {
    const accept = (message: unknown) => {
      unsubscribe('net.server.socket', accept);
      resolve((message as { socket: Socket }).socket);
    };
    subscribe('net.server.socket', accept);
  });
}

/** Reads until the connection ends. */
async function heard(socket: Socket): Promise<{ bytes: number; last: string }> {
  let [bytes, last] = [0, ''];
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    last = (last + chunk.toString()).slice(-500);
  });
  await once(socket, 'close');
  return { bytes, last };
}

/** Both tools with much to say say more. */
const muchAnswer = 15_000_000;
const large = { limits: { resultSize: Infinity } };
const noFurther = 'Connection: close';
const sessions = { idleSeconds: 60, maxSessions: 5 };

test('who left while it was let in opens no stream, which would keep its session for ever', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { url } = await startServer({ ...large, sessions });
  const id = String((await post(url, initializing)).headers['mcp-session-id']);
  const accepted = serverEnd();
  const socket = await open(url);
  const left = once(await accepted, 'close');
  vi.spyOn(RateLimiterMemory.prototype, 'consume').mockImplementationOnce(async () => {
    socket.destroy();
    await left;
    return new RateLimiterRes();
  });
  const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`GET /mcp HTTP/1.1\r\n${lines.join('')}\r\n`);
  await left;
  const pinged = () =>
    post(url, { jsonrpc: '2.0', id: 2, method: 'ping' }, { 'mcp-session-id': id });
  expect((await pinged()).status).toBe(200);
  vi.advanceTimersByTime(120_000);
  expect((await pinged()).status).toBe(404);
});

test('a caller who leaves its answer unread is not given the rest of it', async () => {
  const { url, close } = await startServer({ ...large, stallMs: 100, drainMs: 60_000 });
  const socket = await open(url);
  socket.write(posted(callOf(1, 'say_much', { response_format: 'json' })));
  await once(socket, 'readable');
  // It waits for the answer, as long as somebody takes it.
  await close();
  expect((await heard(socket)).bytes).toBeLessThan(muchAnswer);
});

test('a caller who leaves its event stream unread ends its call', async () => {
  const { url, state } = await startServer({ ...large, stallMs: 100 });
  const socket = await open(url);
  socket.write(posted(callOf(1, 'log_much')));
  await expect.poll(() => state.events).toEqual(['aborted']);
});

test('a caller who leaves its event stream of a session unread is not waited for', async () => {
  const { url, close, state } = await startServer({
    ...large,
    stallMs: 100,
    drainMs: 60_000,
    sessions,
  });
  const hello = await post(url, initializing);
  const socket = await open(url);
  const id = String(hello.headers['mcp-session-id']);
  socket.write(posted(callOf(1, 'log_much'), `Mcp-Session-Id: ${id}`));
  await expect.poll(() => state.events).toEqual(['logged']);
  await close();
});

test('a caller who reads slowly is served whole', async () => {
  const { url } = await startServer({ ...large, stallMs: 1_500 });
  const socket = await open(url);
  socket.write(posted(callOf(1, 'say_much', { response_format: 'json' }), noFurther));
  // Three megabytes, and then a rest.
  let taken = 0;
  socket.on('data', (chunk) => {
    taken += chunk.length;
    if (taken < 3_000_000) return;
    taken = 0;
    socket.pause();
    setTimeout(() => socket.resume(), 300);
  });
  expect((await heard(socket)).bytes).toBeGreaterThan(muchAnswer);
});

test('the end waits for who reads slowly', async () => {
  const { url, close } = await startServer({ ...large, drainMs: 60_000 });
  const socket = await open(url);
  socket.write(posted(callOf(1, 'say_much', { response_format: 'json' })));
  await once(socket, 'readable');
  const closed = close();
  expect((await heard(socket)).bytes).toBeGreaterThan(muchAnswer);
  await closed;
});

test('a caller who was late to read may have a call that is silent for long', async () => {
  const stallMs = 800;
  const { url } = await startServer({ ...large, stallMs });
  const accepted = serverEnd();
  const socket = await open(url);
  socket.write(posted(callOf(1, 'log_much'), noFurther));
  const itsEnd = await accepted;
  await expect.poll(() => itsEnd.timeout).toBe(stallMs);
  const { bytes, last } = await heard(socket);
  expect(bytes).toBeGreaterThan(muchAnswer);
  expect(last).toContain('"id":1');
});

test('callers who send slowly are told and ended, though they go on and on; another is served [M29]', async () => {
  const { url } = await startServer({ ...large, headMs: 100, requestMs: 200 });
  const served = post(url, callOf(1, 'wait_briefly'));
  const [slowHead, slowBody, nonsense] = await Promise.all(
    [
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ',
      posted(callOf(1, 'echo_text')).replace(/(?<=Length: )\d+/, '9999'),
      'nonsense\r\n\r\n',
    ].map((text) => goOn(url, text)),
  );
  for (const answer of [slowHead, slowBody]) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*\r\nconnection: close\r\n/);
    expect(answer).toContain('{"code":-32000,"message":"Request Timeout."},"id":null}');
  }
  expect(nonsense).toMatch(/^HTTP\/1\.1 400 /);
  expect((await served).messages).toMatchObject([{ id: 1, result: {} }]);
});

/** Writes, then a byte now and then, and never hangs up. Gives what is heard until it is cut off. */
async function goOn(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.write(text);
  const more = setInterval(() => socket.write(' '), 20);
  onTestFinished(() => {
    clearInterval(more);
    socket.destroy();
  });
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString())).on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

test('who leaves in the middle of a body is refused nothing', async () => {
  const logged = vi.fn();
  const { url } = await startServer({ ...large, logged });
  const accepted = serverEnd();
  const socket = await open(url);
  const left = once(await accepted, 'close');
  socket.write(posted(initializing).slice(0, -1), () => socket.destroy());
  await left;
  expect((await post(url, initializing)).status).toBe(200);
  expect(logged).not.toHaveBeenCalledWith(expect.stringContaining('Refused'));
});

test('a crowd of requests behind one that waits is not kept, and ends with its connection', async () => {
  const { url, state } = await startServer(large);
  const socket = await open(url);
  socket.write(posted(callOf(1, 'wait_long')));
  await expect.poll(() => state.events).toEqual(['waiting']);
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_000));
  expect((await heard(socket)).bytes).toBe(0);
  await expect.poll(() => state.events).toEqual(['waiting', 'aborted']);
});

test('one connection may carry as many requests as it likes, a few at once', async () => {
  const { url } = await startServer(large);
  const socket = await open(url);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  for (let times = 1; times <= 4; times += 1) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50));
    await expect.poll(() => text.match(/"ok"/g)).toHaveLength(50 * times);
  }
});
