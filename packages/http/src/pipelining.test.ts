/** Pipelined requests over real connections. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, afterEach, expect, test } from 'vitest';
import { serializePipelined } from './pipelining.ts';

const visitor = new AsyncLocalStorage<string | undefined>();
let begun: { path: string | undefined; visitor: string | undefined; response: ServerResponse }[] =
  [];
const begin = serializePipelined(({ url }: IncomingMessage, response) => {
  begun.push({ path: url, visitor: visitor.getStore(), response });
});
const server = createServer((request, response) => {
  visitor.run(request.url, () => {
    begin(request, response);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

afterEach(() => {
  server.closeAllConnections();
  begun = [];
});
afterAll(() => server.close());

/** A connection that sends all of these requests at once. */
function send(...paths: string[]) {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (bytes) => (heard += String(bytes)));
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''));
  return { socket, heard: () => heard };
}

const haveBegun = (count: number) => expect.poll(() => begun).toHaveLength(count);

test('a pipelined request waits for the response before it, and keeps its own async context', async () => {
  const { heard } = send('/ada', '/bob', '/eve');
  for (const [index, name] of ['/ada', '/bob', '/eve'].entries()) {
    await haveBegun(index + 1);
    expect(begun[index]).toMatchObject({ path: name, visitor: name });
    begun[index]?.response.end(`to ${name}`);
  }
  await expect.poll(() => heard().match(/to \/[a-z]+/g)).toEqual(['to /ada', 'to /bob', 'to /eve']);
});

test('queued requests of a closed connection are never started', async () => {
  const { socket } = send('/ada', '/bob');
  await haveBegun(1);
  const ended = once(begun[0]?.response as ServerResponse, 'close');
  socket.destroy();
  await ended;
  begun[0]?.response.end('too late');
  // A request on another connection is handled after anything the first could still start.
  send('/eve');
  await haveBegun(2);
  expect(begun.map(({ path }) => path)).toEqual(['/ada', '/eve']);
});

test.each([
  [101, 'kept'],
  [102, 'ended'],
])('a connection with %i pipelined requests is %s', async (count, fate) => {
  const { socket } = send(...Array.from({ length: count }, (_, index) => `/${index}`));
  const ended = once(socket, 'close').then(() => 'ended');
  const kept = haveBegun(2).then(() => 'kept');
  await haveBegun(1);
  begun[0]?.response.end();
  expect(await Promise.race([ended, kept])).toBe(fate);
});
