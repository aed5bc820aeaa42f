/** Thousands of sessions open and close without a memory leak (M29). */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { request } from 'undici';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { McpServer, type Transport } from '../../src/adapters/mcp-server.ts';
import { mcpHeaders, post, startServer } from '../doubles/http-server.ts';
import { callOf, initializing } from '../doubles/messages.ts';

const maxSessions = 50;
const atOnce = 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Every server and transport of a session, unless it was garbage-collected. */
const made: WeakRef<object>[] = [];
// Patched manually, because a spy would retain the objects it is called on.
const connect = Object.getOwnPropertyDescriptor(McpServer.prototype, 'connect')?.value as Connect;
type Connect = (this: object, transport: Transport) => void;
McpServer.prototype.connect = function (transport) {
  made.push(new WeakRef(this), new WeakRef(transport));
  connect.call(this, transport);
};
afterAll(() => {
  McpServer.prototype.connect = connect;
});
beforeEach(() => {
  made.length = 0;
});

function alive(): number {
  collectGarbage();
  return made.filter((reference) => reference.deref() !== undefined).length;
}

async function open(url: string, capabilities: object = {}): Promise<string> {
  const params = { ...initializing.params, capabilities };
  const response = await post(url, { ...initializing, params });
  expect(response.status).toBe(200);
  const session = String(response.headers['mcp-session-id']);
  const called = await post(url, callOf(1, 'echo_text', { text: session }), {
    'mcp-session-id': session,
  });
  expect(called.text).toContain(session);
  return session;
}

/** Opens sessions several at once, in rounds: no session is evicted by newer ones before its own call. */
async function openMany(url: string, count: number): Promise<string[]> {
  const opened: string[] = [];
  while (opened.length < count) {
    opened.push(...(await Promise.all(Array.from({ length: atOnce }, () => open(url)))));
  }
  return opened;
}

test('1,000 sessions open and close, and only open sessions keep objects in memory: none at the end [M29]', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { url } = await startServer({ sessions: { idleSeconds: 60, maxSessions } });

  // Far more than the limit: the older ones are evicted.
  const opened = await openMany(url, 1_000);
  expect(made).toHaveLength(2 * 1_000);
  await expect.poll(() => alive()).toBe(2 * maxSessions);

  // Clients end some of the remaining ones.
  const ended = await Promise.all(
    opened.slice(-maxSessions).map(async (session) => {
      const headers = { ...mcpHeaders, 'mcp-session-id': session };
      const { statusCode, body } = await request(url, { method: 'DELETE', headers });
      await body.dump();
      return statusCode;
    }),
  );
  const gone = ended.filter((status) => status === 200).length;
  expect(gone).toBeGreaterThan(0);
  await expect.poll(() => alive()).toBe(2 * (maxSessions - gone));

  // Other sessions are abandoned by their clients.
  await openMany(url, 20);
  vi.advanceTimersByTime(120_000);
  await expect.poll(() => alive()).toBe(0);
  expect(
    (await post(url, callOf(1, 'echo_text'), { 'mcp-session-id': opened.at(-1) ?? '' })).status,
  ).toBe(404);
}, 300_000);

test('large client metadata is not kept with its session [M29]', async () => {
  const { url } = await startServer({ sessions: { idleSeconds: 60, maxSessions } });
  const lists = Array.from(
    { length: 900 },
    (_, index) => [`x${index}`, { a: 'x'.repeat(900) }] as const,
  );
  const talkative = { experimental: Object.fromEntries(lists), elicitation: { form: { a: 'x' } } };
  await open(url, talkative);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < 20; count += 1) await open(url, talkative);
  collectGarbage();
  // Each client sent 800 kB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
});
