/** Responses that violate their own framing: the client can tell, and the next response is not affected. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startListeningSite } from '../testing/listening-site.ts';
import { logged } from '../testing/log-double.ts';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

const { port, doubles, send } = await startListeningSite();

/** Everything received on one connection. */
async function hear(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (part: string) => (heard += part));
  socket.write(text);
  await once(socket, 'close');
  return heard;
}

const get = (version: string) => `GET /api/x HTTP/${version}\r\nhost: x\r\n\r\n`;
const next = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

test.each([
  ['shorter than declared', 'short', '100'],
  ['longer than declared', 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil', '4'],
])(
  'a body %s closes its connection, and does not reach the next response',
  async (_, body, length) => {
    doubles.remix = () =>
      Promise.resolve(
        new Response(body, { headers: { 'content-length': length, 'content-type': 'image/png' } }),
      );
    const heard = await hear(get('1.1') + next);
    expect(heard).not.toMatch(/evil|"ok"/);
    expect(logged()).toContainEqual(
      expect.objectContaining({ level: 50, msg: 'request failed' }) as unknown,
    );
    expect((await send('/healthz')).status).toBe(200);
  },
);

test('a route cannot set hop-by-hop headers', async () => {
  doubles.remix = () =>
    Promise.resolve(
      new Response('hello', {
        headers: {
          'content-length': '5',
          'transfer-encoding': 'chunked',
          connection: 'x-secret',
          'keep-alive': 'timeout=9999',
          upgrade: 'h2c',
        },
      }),
    );
  const heard = await hear(get('1.1') + next);
  const [head = '', rest = ''] = heard.split('\r\n\r\n', 2);
  expect(head).not.toMatch(/transfer-encoding|x-secret|9999|h2c/i);
  expect(rest).toMatch(/^helloHTTP\/1\.1 200 /);
});

/** A picture of unknown length that fails midway, in several ways. */
function picture() {
  let breakOff: () => void = () => undefined;
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.alloc(1_000));
      breakOff = () => {
        controller.error(new Error('broken off'));
      };
    },
  });
  const response = new Response(body, { headers: { 'content-type': 'image/png' } });
  return { response, breakOff };
}

test('a truncated response is an error for its reader', async () => {
  const { response, breakOff } = picture();
  doubles.remix = () => Promise.resolve(response);
  const heard = await fetch(`http://127.0.0.1:${port}/api/x`);
  breakOff();
  await expect(heard.blob()).rejects.toThrow();
});

test('a truncated response is also an error for an HTTP/1.0 proxy', async () => {
  const { response, breakOff } = picture();
  doubles.remix = () => Promise.resolve(response);
  const socket = connect(port, '127.0.0.1');
  socket.write(get('1.0'));
  await once(socket, 'data');
  const failed = once(socket, 'error');
  const ended = once(socket, 'end').then(() => 'a whole response');
  socket.resume();
  breakOff();
  expect(await Promise.race([failed, ended])).toMatchObject([{ code: 'ECONNRESET' }]);
});

test('errors that the site has already logged are not logged again', async () => {
  const { response, breakOff } = picture();
  doubles.remix = () => Promise.resolve(response);
  doubles.isLogged = (error) => error instanceof Error && error.message === 'broken off';
  const heard = await fetch(`http://127.0.0.1:${port}/api/x`);
  breakOff();
  await expect(heard.blob()).rejects.toThrow();
  await expect.poll(logged).toMatchObject([{ level: 30, msg: 'request', status: 'aborted' }]);
});

/** A body that never ends, and a promise of its cancellation. */
function endless(): { body: ReadableStream; cancelled: Promise<void> } {
  let cancel: () => void = () => undefined;
  const cancelled = new Promise<void>((resolve) => (cancel = resolve));
  const body = new ReadableStream(
    {
      cancel() {
        cancel();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, cancelled };
}

test('the body of a response to a disconnected visitor is cancelled', async () => {
  const { body, cancelled } = endless();
  let arrived: (signal: AbortSignal) => void = () => undefined;
  const signal = new Promise<AbortSignal>((resolve) => (arrived = resolve));
  doubles.remix = async (request) => {
    arrived(request.signal);
    await new Promise((resolve) => {
      request.signal.addEventListener('abort', resolve);
    });
    return new Response(body);
  };
  const socket = connect(port, '127.0.0.1');
  socket.write(get('1.1'));
  await signal;
  socket.destroy();
  await cancelled;
});

test('the body of a response to HEAD is cancelled', async () => {
  const { body, cancelled } = endless();
  doubles.remix = () => Promise.resolve(new Response(body));
  expect((await send('/api/x', { method: 'HEAD' })).status).toBe(200);
  await cancelled;
});
