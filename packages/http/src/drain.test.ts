import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDrain } from './drain.ts';

/** More than the buffers at both ends of a connection hold. */
const large = Buffer.alloc(48 * 1024 * 1024, 'x');

async function start(listener: RequestListener, milliseconds: number, upgrade?: () => void) {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  if (upgrade) server.on('upgrade', upgrade);
  const drain = createDrain(server, milliseconds);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    server,
    drain,
    port,
    /** Sends a request on its own connection, and reads nothing yet. */
    send: async (): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1').pause();
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      socket.write('GET / HTTP/1.1\r\nHost: site\r\n\r\n');
      return socket;
    },
  };
}

/** The bytes of a body that arrive before the connection closes. */
async function bodyLength(socket: Socket): Promise<number> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A reset counts as closed.
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'close');
  const all = Buffer.concat(chunks);
  return all.length - all.indexOf('\r\n\r\n') - 4;
}

test('a response written before shutdown and read afterwards arrives completely', async () => {
  const written = vi.fn();
  const { server, send, drain } = await start((_, response) => {
    response.end(large);
    written();
  }, 60_000);
  const slow = await send();
  await expect.poll(() => written).toHaveBeenCalled();
  vi.useFakeTimers({ toFake: ['setInterval'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const drained = drain();
  vi.advanceTimersByTime(1_000);
  await expect.poll(() => server.listening).toBe(false);
  await expect(send()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await bodyLength(slow)).toBe(large.length);
  await drained;
});

test('an idle connection does not delay shutdown', async () => {
  const { send, drain } = await start((_, response) => response.end('brief'), 60_000);
  const idle = await send();
  idle.resume();
  await once(idle, 'data');
  await drain();
});

test('shutdown waits for a stalled reader only until its limit', async () => {
  const { send, drain } = await start((_, response) => response.end(large), 300);
  const stalled = await send();
  await drain();
  expect(await bodyLength(stalled)).toBeLessThan(large.length);
});

test('connections in the kernel’s backlog are answered', async () => {
  const { port, drain } = await start((_, response) => response.end('brief'), 60_000);
  const waiting = Array.from({ length: 64 }, () => connect(port, '127.0.0.1'));
  const responses = waiting.map((socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n');
    return bodyLength(socket);
  });
  // Before the event loop iterates: the kernel accepts on its own, and Node has not polled.
  await drain();
  expect(await Promise.all(responses)).toEqual(waiting.map(() => 'brief'.length));
});

test('an upgraded connection is closed with the others', async () => {
  const { port, drain } = await start(
    () => undefined,
    60_000,
    () => undefined,
  );
  const socket = connect(port, '127.0.0.1').resume();
  socket.write('GET / HTTP/1.1\r\nHost: site\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n');
  await once(socket, 'ready');
  const ended = once(socket, 'end');
  await drain();
  await ended;
});

test('an upgraded connection that its client keeps open is closed at the limit', async () => {
  const { port, drain } = await start(
    () => undefined,
    300,
    () => undefined,
  );
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume();
  socket.write('GET / HTTP/1.1\r\nHost: site\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n');
  await once(socket, 'ready');
  await drain();
  socket.destroy();
});
