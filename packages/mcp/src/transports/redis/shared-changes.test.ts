/** Two servers with one Redis: a client of one receives changes published in the other (M29). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../../test/doubles/http-server.ts';
import { hasRedisServer, startRedisServer } from '../../../test/doubles/redis-server.ts';

const note = (name: string) => `note://notes/${name}`;
const listChanged = 'list changed';

/** Returns the list of notifications that a client with a few subscriptions receives; it grows over time. */
async function listening(url: string): Promise<string[]> {
  const client = new Client(
    { name: 'test', version: '0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  onTestFinished(() => client.close());
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri);
  });
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    heard.push(listChanged);
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await client.listen({
    resourcesListChanged: true,
    resourceSubscriptions: ['a', 'b', 'ready'].map(note),
  });
  return heard;
}

function server(redisUrl?: string) {
  return startServer({
    rateLimit: { requests: 1_000, seconds: 60, ...(redisUrl !== undefined && { redisUrl }) },
  });
}

async function redis(port?: number) {
  const started = await startRedisServer(port);
  onTestFinished(() => started.stop());
  return started;
}

/** Waits until the servers are connected. A new connection notifies of every subscribed resource. */
async function untilShared(tells: Awaited<ReturnType<typeof server>>, heard: string[]) {
  const hears = () => {
    tells.state.changes.updated(note('ready'), 'nobody');
    tells.state.changes.updated(note('ready'));
    return heard.filter((change) => change === note('ready')).length;
  };
  await expect.poll(hears).toBeGreaterThan(1);
}

test('without Redis, a change is published in its own process only', async () => {
  const [here, other] = await Promise.all([server(), server()]);
  const heard = await listening(here.url);
  other.state.changes.updated(note('a'));
  here.state.changes.updated(note('b'));
  await expect.poll(() => heard).toEqual([note('b')]);
});

describe.skipIf(!hasRedisServer)('with Redis', () => {
  test('a client of one process receives its caller’s changes from another, and no other caller’s [M29]', async () => {
    const { url } = await redis();
    const [here, other] = await Promise.all([server(url), server(url)]);
    const heard = await listening(here.url);
    await untilShared(other, heard);
    heard.length = 0;
    other.state.changes.updated(note('b'), 'somebody else');
    other.state.changes.updated(note('a'), 'local');
    other.state.changes.listChanged();
    await expect
      .poll(() => heard.filter((change) => change !== note('ready')).sort())
      .toEqual([listChanged, note('a')].sort());
  });

  test('when Redis is back, a client is notified of everything it subscribed to, because changes may have been missed [M29]', async () => {
    const first = await redis();
    const [here, other] = await Promise.all([server(first.url), server(first.url)]);
    const heard = await listening(here.url);
    await untilShared(other, heard);
    await first.stop();
    heard.length = 0;
    other.state.changes.updated(note('a'));
    await redis(first.port);
    await expect
      .poll(() => heard)
      .toEqual(expect.arrayContaining([listChanged, note('a'), note('b')]));
  });

  test('a message that no server sent is ignored', async () => {
    const { url } = await redis();
    const [here, other] = await Promise.all([server(url), server(url)]);
    const heard = await listening(here.url);
    await untilShared(other, heard);
    heard.length = 0;
    const stranger = new Redis(url);
    onTestFinished(() => {
      stranger.disconnect();
    });
    const change = { kind: 'resource', uri: note('b') };
    for (const text of ['no JSON', '{}', JSON.stringify({ from: 1, change })]) {
      await stranger.publish('probe_mcp:changes', text);
    }
    other.state.changes.updated(note('a'));
    await expect
      .poll(() => heard.filter((change) => change !== note('ready')))
      .toEqual([note('a')]);
  });
});
