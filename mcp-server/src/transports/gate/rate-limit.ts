/** So many requests a caller, in a window: in this process, or shared by all of them through Redis. */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Once } from '../../adapters/questions/request-state.ts';
import { connectRedis } from '../redis/redis-connection.ts';
import { errorCode, refusal, type Middleware } from './exchange.ts';

export interface RateLimitOptions {
  /** Requests of one caller in a window. */
  readonly requests: number;
  /** The window, in seconds. */
  readonly seconds: number;
  /** Without it each process counts for itself. */
  readonly redisUrl?: string;
  /** Sets this server's counts apart from others in the same Redis. */
  readonly keyPrefix: string;
  /**
   * Redis went away, lets nobody in, or has no room: until it is back, each process counts for itself. Told
   * once each time, of the error's words alone.
   */
  readonly onRedisLost?: (error: unknown) => void;
}

export interface RateLimit {
  readonly middleware: Middleware;
  /** Whether an id is seen for the first time by all processes together. Absent without Redis. */
  readonly once?: Once;
  close(): void;
}

/** @throws Error with one sentence, when Redis is wanted and its client is not installed. */
export async function createRateLimit(options: RateLimitOptions): Promise<RateLimit> {
  const window = {
    keyPrefix: options.keyPrefix,
    points: options.requests,
    duration: options.seconds,
  };
  if (options.redisUrl === undefined) {
    const memory = new RateLimiterMemory(window);
    return { middleware: limitBy((id) => memory.consume(id)), close: () => undefined };
  }

  const { redis, tellLost } = await connectRedis(options.redisUrl, options.onRedisLost);
  /** By Redis, and in this process while Redis does not count. */
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
        // It is there and does not count: full, perhaps, or a copy that takes no writes.
        if (redis.status === 'ready') tellLost(error);
        return here.consume(id, 1, given);
      }
    };
  };
  const firstUse = counted({ ...window, keyPrefix: `${options.keyPrefix}:once`, points: 1 });
  return {
    // Who is over the limit is told so without asking Redis again.
    middleware: limitBy(counted(window, { inMemoryBlockOnConsumed: options.requests + 1 })),
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

function limitBy(consume: (id: string) => Promise<unknown>): Middleware {
  return async ({ caller }) => {
    if (caller === undefined) throw new Error('The rate limit stands behind authentication');
    try {
      await consume(caller.id);
      return undefined;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds: number = Math.max(1, Math.ceil(error.msBeforeNext / 1_000));
      return refusal(429, errorCode.refused, 'Too Many Requests.', {
        'retry-after': String(seconds),
      });
    }
  };
}
