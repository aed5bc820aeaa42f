/** A non-blocking connection to Redis. */
import type { Redis } from 'ioredis';

const redisTimeoutMilliseconds = 500;

/**
 * Opens a connection that reconnects automatically. Commands fail at once while it is not `ready`.
 *
 * @param onLost Called once for each outage, with a redacted error.
 * @returns The connection, and a function by which its user reports a failure that is not one of the connection.
 * @throws Error with one sentence if Redis's client is not installed.
 */
export async function connectRedis(url: string, onLost?: (error: unknown) => void) {
  const redis = new (await redisClient())(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: redisTimeoutMilliseconds,
    connectTimeout: 5_000,
    // Treats a Redis that hangs as disconnected.
    socketTimeout: redisTimeoutMilliseconds,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5_000),
  });
  let isLost = false;
  const reportLost = (error: unknown) => {
    if (!isLost) onLost?.(withoutCommand(error, redis.options.password));
    isLost = true;
  };
  redis.on('error', reportLost);
  redis.on('ready', () => {
    isLost = false;
  });
  return { redis, reportLost };
}

/** An optional dependency, imported only if Redis is configured. */
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

/**
 * A Redis error has the command that failed, and old versions quote it in the message: HELLO contains the password.
 */
function withoutCommand(error: unknown, password: string | null | undefined): Error {
  const { name, message } = error instanceof Error ? error : new Error('Redis failed');
  const safe = new Error(password ? message.replaceAll(password, '[redacted]') : message);
  safe.name = name;
  return safe;
}
