/** A connection to Redis that nobody has to wait for. */
import type { Redis } from 'ioredis';

/** An answer that comes later than this is not waited for. */
const redisTimeoutMilliseconds = 500;

/**
 * It is opened again whenever it breaks. What is asked of it while it is not `ready` is refused at once.
 *
 * @param onLost Told once each time that it breaks, of the error's words alone.
 * @returns The connection, and how a user of it tells of a failure that is none of the connection's.
 * @throws Error with one sentence, when Redis's client is not installed.
 */
export async function connectRedis(url: string, onLost?: (error: unknown) => void) {
  const redis = new (await redisClient())(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: redisTimeoutMilliseconds,
    connectTimeout: 5_000,
    // A Redis that hangs is a Redis that went away.
    socketTimeout: redisTimeoutMilliseconds,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5_000),
  });
  let isLost = false;
  const tellLost = (error: unknown) => {
    if (!isLost) onLost?.(withoutCommand(error, redis.options.password));
    isLost = true;
  };
  redis.on('error', tellLost);
  redis.on('ready', () => {
    isLost = false;
  });
  return { redis, tellLost };
}

/** An optional dependency, and loaded for nobody else. */
async function redisClient(): Promise<typeof Redis> {
  try {
    return (await import('ioredis')).Redis;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('REDIS_URL needs the package ioredis, which is not installed.', {
      cause: error,
    });
  }
}

/** A refusal of Redis carries the command that it refused, and an old one's words quote it: HELLO has the password. */
function withoutCommand(error: unknown, password: string | null | undefined): Error {
  const { name, message } = error instanceof Error ? error : new Error('Redis failed');
  const safe = new Error(password ? message.replaceAll(password, '[redacted]') : message);
  safe.name = name;
  return safe;
}
