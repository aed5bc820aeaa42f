/**
 * A platform that closes kept-alive connections as calls are sent, as servers do after a few idle
 * seconds.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createUpstream } from './upstream.ts';

const okResponse = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** The head of each request received. */
const arrived: string[] = [];
/** Handles a request that is not the first on its connection. */
let onKept: (socket: Socket) => void;

const server = createServer((socket) => {
  let isKept = false;
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    arrived.push(data.toString());
    if (isKept) onKept(socket);
    else socket.write(okResponse);
    isKept = true;
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const { call: callUpstream, open: openUpstream } = createUpstream(() => `http://127.0.0.1:${port}`);

const initial = getGlobalDispatcher();
let agent: Agent;

beforeEach(() => {
  arrived.length = 0;
  // A single connection, so that every second call reuses it.
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

/** Leaves an idle connection for the next call to reuse. */
async function keepConnection() {
  await callUpstream({ path: '/user' });
  arrived.length = 0;
}

/** Reads the complete response of a streaming call. */
async function streamed(path: string): Promise<number> {
  const { status, body } = await openUpstream({ path, maxBytes: 100 });
  await new Response(body).text();
  return status;
}

test.each(closings)(
  '450 profile calls all succeed over connections that are %s',
  async (_, close) => {
    onKept = close;
    const statuses = new Set<number>();
    for (let call = 0; call < 450; call++) {
      statuses.add((await callUpstream({ path: '/user' })).status);
    }
    expect([...statuses]).toEqual([200]);
    expect(arrived.length).toBeGreaterThan(600);
  },
);

test.each(closings)(
  '450 file downloads all succeed over connections that are %s',
  async (_, close) => {
    onKept = close;
    const statuses = new Set<number>();
    for (let call = 0; call < 450; call++) statuses.add(await streamed('/file'));
    expect([...statuses]).toEqual([200]);
    expect(arrived.length).toBeGreaterThan(600);
  },
);

test.each(closings)('a POST over a connection that is %s is never retried', async (_, close) => {
  await keepConnection();
  onKept = close;
  await expect(
    callUpstream({ method: 'POST', path: '/generations', json: { prompt: 'a fox' } }),
  ).rejects.toMatchObject({ reason: 'unavailable' });
  expect(arrived).toHaveLength(1);
});

test('a GET is retried only once', async () => {
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

test('a call whose response has begun is not retried', async () => {
  await keepConnection();
  onKept = (socket) => socket.end('HTTP/1.1 200');
  await expect(callUpstream({ path: '/user' })).rejects.toMatchObject({ reason: 'unavailable' });
  expect(arrived).toHaveLength(1);
});

test('a retry gets only the rest of the deadline', async () => {
  await keepConnection();
  onKept = (socket) => socket.end();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await callUpstream({ path: '/user', deadline: 4_321 });
  const [first, second] = timers.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms > 3_000);
  expect(first).toBe(4_321);
  expect(second).toBeLessThan(4_321);
});

test('a call of a visitor who has disconnected is not retried', async () => {
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

test('a retry keeps the visitor’s identity [W01 W13]', async () => {
  onKept = (socket) => socket.end();
  // Adds identity as the platform does: by the request in whose context the call is made.
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
