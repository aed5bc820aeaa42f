/** A platform that closes kept connections as calls set out: most servers do, after a few idle seconds. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openUpstream } from './stream.server';
import { callUpstream } from './upstream.server';

const answered = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** The heads of all requests that arrived. */
const arrived: string[] = [];
/** What happens to a request that is not its connection's first. */
let onKept: (socket: Socket) => void;

const server = createServer((socket) => {
  let isKept = false;
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    arrived.push(data.toString());
    if (isKept) onKept(socket);
    else socket.write(answered);
    isKept = true;
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
vi.stubEnv('PLATFORM_INTERNAL_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

const initial = getGlobalDispatcher();
let agent: Agent;

beforeEach(() => {
  arrived.length = 0;
  // One connection, so that every other call meets it kept.
  agent = new Agent({ connections: 1 });
  setGlobalDispatcher(agent);
});
afterEach(async () => {
  setGlobalDispatcher(initial);
  await agent.destroy();
});
afterAll(() => {
  server.close();
});

const closings: [string, (socket: Socket) => void][] = [
  ['closed', (socket) => socket.end()],
  ['reset', (socket) => socket.resetAndDestroy()],
];

/** Leaves a connection that the next call will be the second of. */
async function keepConnection() {
  await callUpstream({ path: '/user' });
  arrived.length = 0;
}

/** Reads the whole answer of a call that streams. */
async function streamed(path: string): Promise<number> {
  const { status, body } = await openUpstream({ path, maxBytes: 100 });
  await new Response(body).text();
  return status;
}

test.each(closings)('450 profiles over connections that are %s: none is lost', async (_, close) => {
  onKept = close;
  const statuses = new Set<number>();
  for (let call = 0; call < 450; call++) {
    statuses.add((await callUpstream({ path: '/user' })).status);
  }
  expect([...statuses]).toEqual([200]);
  expect(arrived.length).toBeGreaterThan(600);
});

test.each(closings)('450 files over connections that are %s: none is lost', async (_, close) => {
  onKept = close;
  const statuses = new Set<number>();
  for (let call = 0; call < 450; call++) statuses.add(await streamed('/file'));
  expect([...statuses]).toEqual([200]);
  expect(arrived.length).toBeGreaterThan(600);
});

test.each(closings)('a POST over a connection that is %s is never sent again', async (_, close) => {
  await keepConnection();
  onKept = close;
  await expect(
    callUpstream({ method: 'POST', path: '/generations', json: { prompt: 'a fox' } }),
  ).rejects.toMatchObject({ reason: 'unavailable' });
  expect(arrived).toHaveLength(1);
});

test('is sent again once, and no more often', async () => {
  await keepConnection();
  let connections = 0;
  const count = (socket: Socket) => {
    connections += 1;
    socket.resetAndDestroy();
  };
  server.prependListener('connection', count);
  onKept = (socket) => socket.resetAndDestroy();
  await expect(callUpstream({ path: '/user' })).rejects.toMatchObject({ reason: 'unavailable' });
  server.off('connection', count);
  expect([arrived.length, connections]).toEqual([1, 1]);
});

test('an answer that has begun is not asked for again', async () => {
  await keepConnection();
  onKept = (socket) => socket.end('HTTP/1.1 200');
  await expect(callUpstream({ path: '/user' })).rejects.toMatchObject({ reason: 'unavailable' });
  expect(arrived).toHaveLength(1);
});

test('what is sent again has what is left of the deadline', async () => {
  await keepConnection();
  onKept = (socket) => socket.end();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await callUpstream({ path: '/user', deadline: 4_321 });
  const [first, second] = timers.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms > 3_000);
  expect(first).toBe(4_321);
  expect(second).toBeLessThan(4_321);
});

test('nothing is sent again for a visitor who has left', async () => {
  await keepConnection();
  const visitor = new AbortController();
  onKept = (socket) => {
    visitor.abort();
    socket.end();
  };
  await expect(callUpstream({ path: '/user', signal: visitor.signal })).rejects.toMatchObject({
    reason: 'aborted',
  });
  expect(arrived).toHaveLength(1);
});

test('what is sent again goes out for the same visitor as at first [W01 W13]', async () => {
  onKept = (socket) => socket.end();
  // As a platform does: whose call it is depends on the request that it is made in.
  const visitor = new AsyncLocalStorage<string>();
  setGlobalDispatcher(
    agent.compose((dispatch) => (options, handler) => {
      return dispatch({ ...options, headers: { visitor: visitor.getStore() ?? '' } }, handler);
    }),
  );
  await visitor.run('ada', () => callUpstream({ path: '/user' }));
  await visitor.run('bob', () => callUpstream({ path: '/user' }));
  await visitor.run('cyd', () => streamed('/file'));
  const seen = arrived.map((head) => /^visitor: (.*)$/m.exec(head)?.[1]?.trim());
  expect(seen).toEqual(['ada', 'bob', 'bob', 'cyd', 'cyd']);
});
