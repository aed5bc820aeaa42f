import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { request } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startGateServer } from '../../../test/doubles/gate-server.ts';
import { post, startServer } from '../../../test/doubles/http-server.ts';
import { initializing } from '../../../test/doubles/messages.ts';
import { createLog } from '../../core/context/log.ts';
import { hasRedisServer, startRedisServer } from '../../../test/doubles/redis-server.ts';
import type { Middleware } from './exchange.ts';
import { inOrder } from './gate.ts';
import { createRateLimit, type RateLimitOptions } from './rate-limit.ts';

const twoAMinute = { requests: 2, seconds: 60, keyPrefix: 'test_mcp' };

/** Takes the caller's name from the path: `/anna`. */
const byPath: Middleware = (exchange) => {
  exchange.caller = { id: exchange.request.url ?? '' };
  return undefined;
};

async function startLimited(changes: Partial<RateLimitOptions> = {}) {
  const limit = await createRateLimit({ ...twoAMinute, ...changes });
  onTestFinished(() => {
    limit.close();
  });
  const { url } = await startGateServer(inOrder([byPath, limit.middleware]));
  return async (caller: string) => {
    const response = await request(new URL(caller, url));
    return {
      status: response.statusCode,
      headers: response.headers,
      body: await response.body.json(),
    };
  };
}

test('a caller over the limit gets the time to retry; other callers are not affected [M29]', async () => {
  const call = await startLimited();
  expect((await call('/anna')).status).toBe(200);
  expect((await call('/anna')).status).toBe(200);
  const { status, headers, body } = await call('/anna');
  expect(status).toBe(429);
  expect(Number(headers['retry-after'])).toBeGreaterThan(55);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(body).toEqual({
    jsonrpc: '2.0',
    error: {
      code: -32_000,
      message: expect.stringMatching(
        /^Too Many Requests: .*2 in 60 seconds \(MCP_RATE_LIMIT\)\. Try again in \d+ seconds\.$/,
      ) as string,
    },
    id: null,
  });
  expect((await call('/bert')).status).toBe(200);
});

test('the window expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const call = await startLimited({ requests: 1 });
  expect((await call('/anna')).status).toBe(200);
  expect((await call('/anna')).status).toBe(429);
  vi.setSystemTime(Date.now() + 61_000);
  expect((await call('/anna')).status).toBe(200);
});

test('without a reachable Redis each process counts on its own, and one warning is logged', async () => {
  const onRedisLost = vi.fn();
  const call = await startLimited({ redisUrl: 'redis://127.0.0.1:1', onRedisLost });
  expect((await call('/anna')).status).toBe(200);
  expect((await call('/anna')).status).toBe(200);
  expect((await call('/anna')).status).toBe(429);
  await expect.poll(() => onRedisLost).toHaveBeenCalledOnce();
});

test.each([
  ['lets nobody in', () => '-WRONGPASS invalid username-password pair or user is disabled.'],
  [
    'is too old to greet, and quotes what it heard',
    (heard: string) => `-ERR unknown command, with args beginning with: ${heard}`,
  ],
])('a Redis that %s is reported without the password', async (_, refuse) => {
  const redis = createServer((socket) => {
    socket
      .on('data', (chunk: Buffer) => {
        const heard = chunk.toString();
        const commands = heard.match(/^\*\d+/gm) ?? [];
        for (const command of commands)
          socket.write(`${refuse(heard.replaceAll(/\s+/g, command))}\r\n`);
      })
      .on('error', () => undefined);
  });
  onTestFinished(() => {
    redis.close();
  });
  const port = await new Promise<number>((resolve) => {
    redis.listen(0, '127.0.0.1', () => {
      resolve((redis.address() as AddressInfo).port);
    });
  });
  const lines: string[] = [];
  const log = createLog({ level: 'debug', stream: { write: (line) => void lines.push(line) } });
  const call = await startLimited({
    redisUrl: `redis://gate:horse-battery@127.0.0.1:${port}`,
    onRedisLost: (error) => {
      log.warn('lost', { error });
    },
  });
  await expect.poll(() => lines.join('')).toMatch(/WRONGPASS|unknown command/);
  expect(lines.join('')).not.toContain('horse-battery');
  expect((await call('/anna')).status).toBe(200);
});

test('a server counts in Redis under its own name, and closes the connection at shutdown', async () => {
  let heard = '';
  const redis = createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
      const commands = chunk.toString().match(/^\*\d+/gm) ?? [];
      socket.write('+OK\r\n'.repeat(commands.length));
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void redis.close());
  await once(redis, 'listening');
  const connected = once(redis, 'connection') as Promise<[Socket]>;
  const { port } = redis.address() as AddressInfo;
  const redisUrl = `redis://127.0.0.1:${port}`;
  const { url, close } = await startServer({ rateLimit: { requests: 9, seconds: 60, redisUrl } });
  const [connection] = await connected;
  await post(url, initializing);
  expect(heard).toContain('probe_mcp:local');
  await close();
  await once(connection, 'close');
});

test('an unexpected error of the limiter rejects the request [M29]', async () => {
  vi.spyOn(RateLimiterMemory.prototype, 'consume').mockRejectedValue(new Error('out of order'));
  const logged = vi.fn();
  const { url } = await startServer({ logged });
  const { status, messages } = await post(url, initializing);
  const error = { code: -32_603, message: 'Internal error.' };
  expect([status, messages]).toEqual([500, [{ jsonrpc: '2.0', error, id: null }]]);
  expect(logged).toHaveBeenCalledWith(expect.stringMatching(/out of order.*A request failed/));
});

/** Waits until both processes count in Redis; until its connection is ready, each counts on its own. */
function untilCountedTogether(...[first, other]: Awaited<ReturnType<typeof startLimited>>[]) {
  const statuses = async () => {
    const caller = `/${randomUUID()}`;
    return [(await first?.(caller))?.status, (await other?.(caller))?.status];
  };
  return expect.poll(statuses).toEqual([200, 429]);
}

describe.skipIf(!hasRedisServer && process.env['REDIS_URL'] === undefined)('with Redis', () => {
  test('two processes share their counts from the first request on [M29]', async () => {
    const redisUrl = process.env['REDIS_URL'] ?? (await startRedis()).url;
    const once = { redisUrl, requests: 1, keyPrefix: randomUUID() };
    const call = await startLimited(once);
    const other = await startLimited(once);
    expect((await call('/anna')).status).toBe(200);
    expect((await other('/anna')).status).toBe(429);
  });
});

describe.skipIf(!hasRedisServer)('with a redis-server of its own', () => {
  test('a Redis that hangs or dies does not delay requests, and is used again once it is back', async () => {
    const redis = await startRedis();
    const onRedisLost = vi.fn();
    const once = { redisUrl: redis.url, requests: 1 };
    const call = await startLimited({ ...once, onRedisLost });
    const other = await startLimited(once);
    await untilCountedTogether(call, other);
    const elsewhere = await startLimited({ ...once, keyPrefix: 'other_mcp' });
    await untilCountedTogether(call, other);
    expect((await call('/dora')).status).toBe(200);
    expect((await call('/dora')).status).toBe(429);
    // A server with another name has its own counts in the same Redis.
    await expect.poll(async () => (await elsewhere('/dora')).status).toBe(200);

    redis.hang();
    // Redis hangs until it is stopped below. Callers over the limit stay blocked.
    expect((await call('/dora')).status).toBe(429);
    expect((await call('/bert')).status).toBe(200);
    expect((await call('/bert')).status).toBe(429);
    await expect.poll(() => onRedisLost).toHaveBeenCalledOnce();

    await redis.stop();
    expect((await call('/carl')).status).toBe(200);
    const again = await startRedis(redis.port);
    await untilCountedTogether(call, other);
    expect(onRedisLost).toHaveBeenCalledOnce();
    await again.stop();
    await expect.poll(() => onRedisLost).toHaveBeenCalledTimes(2);
  });
});

describe.skipIf(!hasRedisServer)('with a redis-server that is full', () => {
  test('each process counts on its own, and one warning is logged', async () => {
    const redis = await startRedis();
    const onRedisLost = vi.fn();
    const once = { redisUrl: redis.url, requests: 1 };
    const call = await startLimited({ ...once, onRedisLost });
    const other = await startLimited(once);
    await untilCountedTogether(call, other);
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory', '1');
    client.disconnect();
    for (const name of ['/bert', '/carl']) {
      expect((await call(name)).status).toBe(200);
      expect((await call(name)).status).toBe(429);
      expect((await other(name)).status).toBe(200);
    }
    expect(onRedisLost).toHaveBeenCalledOnce();
    expect(onRedisLost).toHaveBeenCalledWith(
      expect.objectContaining({ message: expect.stringContaining('OOM') as string }),
    );
  });
});

async function startRedis(port?: number) {
  const redis = await startRedisServer(port);
  onTestFinished(redis.stop);
  return redis;
}
