/** Rate limiting by caller in a fixed window: in this process, or shared through Redis. */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Once } from '../../adapters/questions/request-state.ts';
import { connectRedis } from '../redis/redis-connection.ts';
import { refusal, type Middleware } from './exchange.ts';

export interface RateLimitOptions {
  /** Maximum number of requests of one caller in a window. */
  readonly requests: number;
  /** Length of the window in seconds. */
  readonly seconds: number;
  /** If absent, each process counts on its own. */
  readonly redisUrl?: string;
  /** Separates this server's counts from others in the same Redis. */
  readonly keyPrefix: string;
  /**
   * Called when Redis becomes unusable: unreachable, access denied or out of memory. Until it recovers, each
   * process counts on its own. Called once for each outage, with a redacted error.
   */
  readonly onRedisLost?: (error: unknown) => void;
}

export interface RateLimit {
  readonly middleware: Middleware;
  /** Whether an id is used for the first time in all processes. Absent without Redis. */
  readonly once?: Once;
  close(): void;
}

/** @throws Error with one sentence if Redis is configured and its client is not installed. */
export async function createRateLimit(options: RateLimitOptions): Promise<RateLimit> {
  const window = {
    keyPrefix: options.keyPrefix,
    points: options.requests,
    duration: options.seconds,
  };
  if (options.redisUrl === undefined) {
    const memory = new RateLimiterMemory(window);
    return { middleware: limitBy(options, (id) => memory.consume(id)), close: () => undefined };
  }

  const { redis, reportLost } = await connectRedis(options.redisUrl, options.onRedisLost);
  // Before it is ready, each process counts on its own: one that already served would accept a used state again.
  await new Promise<void>((resolve) => redis.once('ready', resolve).once('close', resolve));
  /** Counts in Redis, or in this process while Redis is unavailable. */
  const counted = (limiter: typeof window, more: object = {}) => {
    const here = new RateLimiterMemory(limiter);
    const shared = new RateLimiterRedis({
      ...limiter,
      ...more,
      storeClient: redis,
      rejectIfRedisNotReady: true,
    });
    return async (id: string, customDuration?: number): Promise<unknown> => {
      const given = customDuration === undefined ? {} : { customDuration };
      try {
        return await shared.consume(id, 1, given);
      } catch (error) {
        if (error instanceof RateLimiterRes) throw error;
        // Connected but not counting: it is out of memory, say, or a read-only replica.
        if (redis.status === 'ready') reportLost(error);
        return here.consume(id, 1, given);
      }
    };
  };
  const firstUse = counted({ ...window, keyPrefix: `${options.keyPrefix}:once`, points: 1 });
  return {
    // A caller over the limit is rejected without another request to Redis.
    middleware: limitBy(
      options,
      counted(window, { inMemoryBlockOnConsumed: options.requests + 1 }),
    ),
    once: (id, milliseconds) =>
      firstUse(id, Math.ceil(milliseconds / 1_000)).then(
        () => true,
        () => false,
      ),
    close: () => {
      redis.disconnect();
    },
  };
}

function limitBy(
  { requests, seconds: window }: Pick<RateLimitOptions, 'requests' | 'seconds'>,
  consume: (id: string) => Promise<unknown>,
): Middleware {
  return async ({ caller }) => {
    if (caller === undefined) throw new Error('The rate limit stands behind authentication');
    try {
      await consume(caller.id);
      return undefined;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds: number = Math.max(1, Math.ceil(error.msBeforeNext / 1_000));
      return refusal(
        429,
        `Too Many Requests: a caller may send ${requests} in ${window} seconds (MCP_RATE_LIMIT). Try again in ${seconds} seconds.`,
        { 'retry-after': String(seconds) },
      );
    }
  };
}
