/** Request bodies as a route reads them: over real connections, through the listener. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { defaultBodyLimit } from '../route.ts';
import { ours, startListeningSite } from '../testing/listening-site.ts';
import { logged } from '../testing/log-double.ts';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

const { port, server, doubles, send: sendRequest } = await startListeningSite();

afterEach(() => {
  vi.useRealTimers();
});

const mebibyte = 1024 * 1024;

/** The headers of a POST from the site's own page, without its body. */
function post(framing: string): { socket: Socket; heard: () => string; closed: Promise<unknown> } {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  // A reset counts as an end.
  socket.on('error', () => undefined).on('end', () => socket.end());
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `POST /page HTTP/1.1\r\nhost: x\r\nsec-fetch-site: same-origin\r\n${framing}\r\n\r\n`,
  );
  return { socket, heard: () => heard, closed };
}

/** A route that reads the body only later, as one does while the guard runs. */
function waitingRoute(then: (request: Request) => Promise<Response>) {
  let goOn: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => (goOn = resolve));
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  doubles.readsBody = false;
  doubles.remix = async (request) => {
    arrive();
    await allowed;
    return then(request);
  };
  return { arrived, goOn };
}

const lengthOf = async (request: Request) =>
  new Response(String((await request.arrayBuffer()).byteLength));

test('a body is not read until the route asks for it, and then completely', async () => {
  const size = 32 * mebibyte;
  doubles.handle = { body: size };
  const { arrived, goOn } = waitingRoute(lengthOf);
  const incoming = once(server, 'connection') as Promise<[Socket]>;
  const { socket, heard } = post(`content-length: ${size}`);
  socket.write(Buffer.alloc(size));
  await arrived;
  const [connection] = await incoming;
  // Node reads ahead until its own buffer is full.
  await expect.poll(() => connection.bytesRead).toBeGreaterThan(16 * 1024);
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(connection.bytesRead).toBeLessThan(mebibyte);
  goOn();
  await expect.poll(heard).toMatch(new RegExp(`\\s${size}\\s`));
});

test.each([
  ['with a length', false],
  ['chunked', true],
])('each route has its own limit for a body sent %s', async (_, chunked) => {
  doubles.readsBody = false;
  doubles.remix = lengthOf;
  const send = async (size: number) =>
    sendRequest('/page', { method: 'POST', headers: ours, body: Buffer.alloc(size), chunked });
  const tooLarge = { status: 413, body: '{"error":"body_too_large"}' };
  expect(await send(defaultBodyLimit + 1)).toMatchObject(tooLarge);
  doubles.handle = { body: mebibyte };
  expect(await send(mebibyte)).toMatchObject({ status: 200, body: String(mebibyte) });
  expect(await send(mebibyte + 1)).toMatchObject(tooLarge);
  doubles.handle = { body: 10 };
  expect(await send(11)).toMatchObject(tooLarge);
  expect(logged().filter(({ msg }) => msg !== 'request')).toEqual([]);
});

test('a route that ignores the error of too large a body does not replace the 413', async () => {
  doubles.readsBody = false;
  doubles.remix = (request) =>
    request.text().then(
      () => new Response('read'),
      () => new Response('taken anyway'),
    );
  const request = { method: 'POST', headers: ours, body: Buffer.alloc(defaultBodyLimit + 1) };
  expect((await sendRequest('/page', { ...request, chunked: true })).status).toBe(413);
});

test('a client that is answered before its body was read receives the response, and is disconnected after a mebibyte', async () => {
  doubles.handle = { body: 64 * mebibyte };
  const { goOn } = waitingRoute(() => Promise.resolve(new Response('no', { status: 401 })));
  const incoming = once(server, 'connection') as Promise<[Socket]>;
  const { socket, heard, closed } = post(`content-length: ${64 * mebibyte}`);
  const [connection] = await incoming;
  goOn();
  await expect.poll(heard).toMatch(/^HTTP\/1\.1 401 [^]*connection: close[^]*no/i);
  socket.write(Buffer.alloc(64 * mebibyte));
  await closed;
  expect(connection.bytesRead).toBeLessThan(4 * mebibyte);
  expect(logged()).toMatchObject([{ msg: 'request', status: 401 }]);
});

test('a client that is answered midway through its body receives the response, too', async () => {
  doubles.readsBody = false;
  doubles.remix = async (request) => {
    const reader = request.body?.getReader();
    await reader?.read();
    return new Response('enough', { status: 415 });
  };
  const { socket, heard, closed } = post('transfer-encoding: chunked');
  socket.write('5\r\nhello\r\n');
  await expect.poll(heard).toMatch(/^HTTP\/1\.1 415 [^]*enough/);
  socket.write('5\r\nworld\r\n0\r\n\r\n');
  await closed;
});

test('a client that stalls midway gets a 408 after half a minute [W33]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let begun: () => void = () => undefined;
  const reading = new Promise<void>((resolve) => (begun = resolve));
  doubles.readsBody = false;
  doubles.remix = async (request) => {
    const reader = request.body?.getReader();
    await reader?.read();
    begun();
    await reader?.read();
    return new Response('never');
  };
  const { socket, heard, closed } = post('content-length: 100');
  socket.write('half');
  await reading;
  await vi.advanceTimersByTimeAsync(29_000);
  expect(heard()).toBe('');
  await vi.advanceTimersByTimeAsync(2_000);
  await expect.poll(heard).toMatch(/^HTTP\/1\.1 408 [^]*{"error":"request_timeout"}/);
  await vi.advanceTimersByTimeAsync(1_000);
  await closed;
});

test.each([
  ['pauses add up', ['a', 'b'], 10],
  ['a body at 16 kB per second is not aborted', ['a', 'b'.repeat(320_000)], 30],
])('%s', async (_, chunks, secondsLeft) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  doubles.handle = { body: mebibyte };
  doubles.readsBody = false;
  let size = 0;
  doubles.remix = async (request) => {
    const reader = request.body?.getReader();
    for (;;) size += (await reader?.read())?.value?.length ?? 0;
  };
  const { socket, heard, closed } = post(`content-length: ${mebibyte}`);
  let sent = 0;
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0) await vi.advanceTimersByTimeAsync(20_000);
    socket.write(chunk);
    sent += chunk.length;
    await expect.poll(() => size).toBe(sent);
  }
  await vi.advanceTimersByTimeAsync((secondsLeft - 1) * 1_000);
  expect(heard()).toBe('');
  await vi.advanceTimersByTimeAsync(2_000);
  await expect.poll(heard).toMatch(/^HTTP\/1\.1 408 /);
  await vi.advanceTimersByTimeAsync(1_000);
  await closed;
});

test('100 Continue is sent only when the route reads the body', async () => {
  const { arrived, goOn } = waitingRoute(lengthOf);
  const { socket, heard } = post('content-length: 5\r\nexpect: 100-continue');
  await arrived;
  expect(heard()).toBe('');
  goOn();
  await expect.poll(heard).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('hello');
  await expect.poll(heard).toMatch(/HTTP\/1\.1 200 /);
  await expect.poll(logged).toMatchObject([{ msg: 'request', status: 200 }]);
});

test('HTTP/1.0 gets no 100 Continue, which it would take for the response', async () => {
  doubles.readsBody = false;
  doubles.remix = lengthOf;
  const socket = connect({ port, host: '127.0.0.1' });
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  socket.write(
    'POST /page HTTP/1.0\r\nsec-fetch-site: same-origin\r\nexpect: 100-continue\r\ncontent-length: 5\r\n\r\nhello',
  );
  await once(socket, 'close');
  expect(heard).toMatch(/^HTTP\/1\.1 200 /);
});

test('a client that disconnects midway ends the reading, and is not an error of the site', async () => {
  let failure: unknown;
  let begun: () => void = () => undefined;
  const reading = new Promise<void>((resolve) => (begun = resolve));
  doubles.readsBody = false;
  doubles.remix = async (request) => {
    begun();
    failure = await request.text().catch((error: unknown) => error);
    expect(request.signal.aborted).toBe(true);
    throw failure;
  };
  const { socket } = post('content-length: 100');
  socket.write('half');
  await reading;
  socket.destroy();
  await expect.poll(() => failure).toBeInstanceOf(Error);
  await expect
    .poll(() => logged().find(({ msg }) => msg === 'request'))
    .toMatchObject({ status: 'aborted' });
  // 30 is pino's level for info.
  expect(logged().filter(({ level }) => level !== 30)).toEqual([]);
});
