/** The methods of a custom store, which the package documents in its source only, and types as opaque. */
declare module 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js' {
  import { RateLimiterAbstract, type RateLimiterRes } from 'rate-limiter-flexible';

  abstract class RateLimiterStoreAbstract<Stored> extends RateLimiterAbstract {
    constructor(options: ConstructorParameters<typeof RateLimiterAbstract>[0]);
    /** Reads a key's stored count, or null. */
    protected abstract _get(key: string): Promise<Stored | null>;
    /** Deletes a key. Resolves to whether it existed. */
    protected abstract _delete(key: string): Promise<boolean>;
    /** Adds points, or sets them if `force` is true or the key has expired. Resolves to the new count. */
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
