/** Clients that do not read responses, pipeline too many requests, or send endlessly. */
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

/** Closed after the test. Reads nothing until a `data` listener is added. */
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

/** Resolves with the server's socket of the next connection, to inspect its timeout. */
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

/** Size of the responses of the two tools with a large result. */
const responseBytes = 15_000_000;
const large = { limits: { resultSize: Infinity } };
const noFurther = 'Connection: close';
const sessions = { idleSeconds: 60, maxSessions: 5 };

test('shutdown ends a request whose body does not arrive, and answers one whose body is only late [M29]', async () => {
  const { url, close } = await startServer({ drainMs: 60_000 });
  const text = posted(initializing, 'Expect: 100-continue', noFurther);
  const [stuck, late] = await Promise.all([open(url), open(url)]);
  for (const socket of [stuck, late]) {
    socket.write(text.slice(0, -10));
    // Node.js sends 100 when the request has begun.
    const [begun] = (await once(socket, 'data')) as [Buffer];
    expect(begun.toString()).toMatch(/^HTTP\/1\.1 100 /);
  }
  const [startedAt, closed] = [performance.now(), close()];
  late.write(text.slice(-10));
  expect((await heard(late)).last).toContain('"result"');
  await closed;
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('shutdown answers a request whose connection it has not accepted yet [M29]', async () => {
  const { url, close } = await startServer();
  const { hostname, port } = new URL(url);
  const pending = Array.from({ length: 32 }, async () => {
    const socket = connect(Number(port), hostname);
    socket.write(posted(initializing, noFurther));
    return (await heard(socket)).last;
  });
  // Before the event loop iterates: the kernel accepts on its own, and Node.js has not polled.
  await close();
  for (const response of await Promise.all(pending)) expect(response).toContain('"result"');
});

test('shutdown answers a request that arrived whole, however long its authentication takes [M29]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { url, close } = await startServer({ drainMs: 60_000 });
  let accept: (value: RateLimiterRes) => void = () => undefined;
  const consume = vi
    .spyOn(RateLimiterMemory.prototype, 'consume')
    .mockReturnValueOnce(new Promise((resolve) => (accept = resolve)));
  const socket = await open(url);
  // Larger than what Node.js buffers of a body that nobody reads.
  const hello = { ...initializing, padding: 'x'.repeat(500_000) };
  socket.write(posted(hello, noFurther));
  await expect.poll(() => consume).toHaveBeenCalledOnce();
  const closed = close();
  vi.advanceTimersByTime(10_000);
  accept(new RateLimiterRes());
  expect((await heard(socket)).last).toContain('"result"');
  await closed;
});

test('a client that disconnects during the authentication opens no stream, which would keep its session open', async () => {
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

test('a client that does not read its response is disconnected', async () => {
  const { url, close } = await startServer({ ...large, stallMs: 100, drainMs: 60_000 });
  const socket = await open(url);
  socket.write(posted(callOf(1, 'say_much', { response_format: 'json' })));
  await once(socket, 'readable');
  // Waits for the response only while the client reads.
  await close();
  expect((await heard(socket)).bytes).toBeLessThan(responseBytes);
});

test('a client that does not read its event stream has its call aborted', async () => {
  const { url, state } = await startServer({ ...large, stallMs: 100 });
  const socket = await open(url);
  socket.write(posted(callOf(1, 'log_much')));
  await expect.poll(() => state.events).toEqual(['aborted']);
});

test('a client that does not read a session’s event stream does not delay the shutdown', async () => {
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

test('a client that reads slowly gets the whole response', async () => {
  const { url } = await startServer({ ...large, stallMs: 1_500 });
  const socket = await open(url);
  socket.write(posted(callOf(1, 'say_much', { response_format: 'json' }), noFurther));
  // Pauses after three megabytes.
  let taken = 0;
  socket.on('data', (chunk) => {
    taken += chunk.length;
    if (taken < 3_000_000) return;
    taken = 0;
    socket.pause();
    setTimeout(() => socket.resume(), 300);
  });
  expect((await heard(socket)).bytes).toBeGreaterThan(responseBytes);
});

test('shutdown waits for a client that reads slowly', async () => {
  const { url, close } = await startServer({ ...large, drainMs: 60_000 });
  const socket = await open(url);
  socket.write(posted(callOf(1, 'say_much', { response_format: 'json' })));
  await once(socket, 'readable');
  const closed = close();
  expect((await heard(socket)).bytes).toBeGreaterThan(responseBytes);
  await closed;
});

test('a client that caught up may have a call that is silent for long', async () => {
  const stallMs = 800;
  const { url } = await startServer({ ...large, stallMs });
  const accepted = serverEnd();
  const socket = await open(url);
  socket.write(posted(callOf(1, 'log_much'), noFurther));
  const itsEnd = await accepted;
  await expect.poll(() => itsEnd.timeout).toBe(stallMs);
  const { bytes, last } = await heard(socket);
  expect(bytes).toBeGreaterThan(responseBytes);
  expect(last).toContain('"id":1');
});

test('clients that send slowly get an error and are disconnected; others are served [M29]', async () => {
  const { url } = await startServer({ ...large, headMs: 100, requestMs: 200 });
  const served = post(url, callOf(1, 'wait_briefly'));
  const [slowHead, slowBody, nonsense] = await Promise.all(
    [
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ',
      posted(callOf(1, 'echo_text')).replace(/(?<=Length: )\d+/, '9999'),
      'nonsense\r\n\r\n',
    ].map((text) => goOn(url, text)),
  );
  for (const response of [slowHead, slowBody]) {
    expect(response).toMatch(/^HTTP\/1\.1 408 .*\r\nconnection: close\r\n/);
    expect(response).toContain(
      '{"code":-32000,"message":"Request Timeout: the request did not arrive in time."},"id":null}',
    );
  }
  expect(nonsense).toMatch(/^HTTP\/1\.1 400 /);
  expect((await served).messages).toMatchObject([{ id: 1, result: {} }]);
});

/**
 * Sends the text, then a byte at intervals, without disconnecting. Returns what it received until it was
 * disconnected.
 */
async function goOn(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.write(text);
  const more = setInterval(() => socket.write(' '), 20);
  onTestFinished(() => {
    clearInterval(more);
    socket.destroy();
  });
  let response = '';
  socket.on('data', (chunk) => (response += chunk.toString())).on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return response;
}

test('disconnecting in the middle of a body logs no rejection', async () => {
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

test('pipelined requests behind a pending one are limited, and end with their connection', async () => {
  const { url, state } = await startServer(large);
  const socket = await open(url);
  socket.write(posted(callOf(1, 'wait_long')));
  await expect.poll(() => state.events).toEqual(['waiting']);
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_000));
  expect((await heard(socket)).bytes).toBe(0);
  await expect.poll(() => state.events).toEqual(['waiting', 'aborted']);
});

test('one connection may carry any number of requests, a few at a time', async () => {
  const { url } = await startServer(large);
  const socket = await open(url);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  for (let times = 1; times <= 4; times += 1) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50));
    await expect.poll(() => text.match(/"ok"/g)).toHaveLength(50 * times);
  }
});
