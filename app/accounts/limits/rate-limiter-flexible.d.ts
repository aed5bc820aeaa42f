/** What a store of one's own implements. The package documents it in its source, and types it as opaque. */
declare module 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js' {
  import { RateLimiterAbstract, type RateLimiterRes } from 'rate-limiter-flexible';

  abstract class RateLimiterStoreAbstract<Stored> extends RateLimiterAbstract {
    constructor(options: ConstructorParameters<typeof RateLimiterAbstract>[0]);
    /** What the store has of a key, or null. */
    protected abstract _get(key: string): Promise<Stored | null>;
    /** Whether there was such a key. */
    protected abstract _delete(key: string): Promise<boolean>;
    /** Adds points, or sets them where `force` is true or the key's time is over, and says what it has then. */
    protected abstract _upsert(
      key: string,
      points: number,
      milliseconds: number,
      force: boolean,
    ): Promise<Stored>;
    protected abstract _getRateLimiterRes(
      key: string,
      changedPoints: number,
      stored: Stored,
    ): RateLimiterRes;
  }
  export default RateLimiterStoreAbstract;
}
