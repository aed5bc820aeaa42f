import { request } from 'undici';
import { expect, test, vi } from 'vitest';
import { connectOverHttp, post, startServer } from '../../test/http-server.ts';
import { callOf } from '../../test/messages.ts';

test('the end lets calls finish, and takes no more connections', async () => {
  const { url, close } = await startServer({ drainMs: 5_000 });
  const call = post(url, callOf(1, 'wait_briefly'));
  await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' });
  const closed = close();
  expect((await call).messages[0]).toMatchObject({ id: 1, result: {} });
  await closed;
  await expectRefused(url);
});

test('the end waits so long, then stops what still runs', async () => {
  const { url, state, close } = await startServer({ drainMs: 50 });
  const call = post(url, callOf(1, 'wait_long'));
  const cut = expect(call).rejects.toThrow();
  await vi.waitFor(() => {
    expect(state.events).toEqual(['waiting']);
  });
  await close();
  await cut;
  await vi.waitFor(() => {
    expect(state.events).toEqual(['waiting', 'aborted']);
  });
});

test('a call that is stopped by the end still cleans up behind it, before its service stops', async () => {
  const { url, state, close, runtime } = await startServer({ drainMs: 1 });
  const cut = expect(post(url, callOf(1, 'clean_up'))).rejects.toThrow();
  await vi.waitFor(() => {
    expect(state.events).toEqual(['waiting']);
  });
  await close();
  await cut;
  await runtime.stop();
  expect(state.events).toEqual(['waiting', 'cleaned up', 'stopped']);
});

test('the end comes at once when it is asked for twice', async () => {
  const { url, state, close } = await startServer({ drainMs: 60_000 });
  const cut = expect(post(url, callOf(1, 'wait_long'))).rejects.toThrow();
  await vi.waitFor(() => {
    expect(state.events).toEqual(['waiting']);
  });
  await Promise.all([close(), close(), cut]);
});

test('the end is the end of sessions and their streams too', async () => {
  const { url, close } = await startServer({ sessions: { idleSeconds: 60, maxSessions: 5 } });
  await connectOverHttp(url);
  await close();
  await expectRefused(url);
});

async function expectRefused(url: string): Promise<void> {
  await expect(request(new URL('/healthz', url))).rejects.toThrow(/ECONNREFUSED|closed|ECONNRESET/);
}
