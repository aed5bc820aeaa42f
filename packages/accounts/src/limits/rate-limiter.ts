/** `rate-limiter-flexible` on the site's own store, so that all processes share their counts. */
import { RateLimiterRes } from 'rate-limiter-flexible';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import { store } from '~/store.server';
import type { AccountTables } from '../tables.ts';

type Stored = Pick<AccountTables['account_limit'], 'points' | 'expire'>;

export class StoreRateLimiter extends RateLimiterStoreAbstract<Stored> {
  protected async _get(key: string): Promise<Stored | null> {
    const found = await store<AccountTables>()
      .selectFrom('account_limit')
      .select(['points', 'expire'])
      .where('key', '=', key)
      .where('expire', '>', Date.now())
      .executeTakeFirst();
    return found ?? null;
  }

  protected async _delete(key: string): Promise<boolean> {
    const { numDeletedRows } = await store<AccountTables>()
      .deleteFrom('account_limit')
      .where('key', '=', key)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  protected async _upsert(
    key: string,
    points: number,
    milliseconds: number,
    force: boolean,
  ): Promise<Stored> {
    const now = Date.now();
    const expire = now + milliseconds;
    return store<AccountTables>()
      .insertInto('account_limit')
      .values({ key, points, expire })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((eb) => {
          if (force) return { points, expire };
          const isOver = eb(eb.ref('account_limit.expire'), '<=', now);
          return {
            points: eb
              .case()
              .when(isOver)
              .then(points)
              .else(eb(eb.ref('account_limit.points'), '+', points))
              .end(),
            expire: eb.case().when(isOver).then(expire).else(eb.ref('account_limit.expire')).end(),
          };
        }),
      )
      .returning(['points', 'expire'])
      .executeTakeFirstOrThrow();
  }

  protected _getRateLimiterRes(
    _key: string,
    changedPoints: number,
    stored: Stored,
  ): RateLimiterRes {
    const { points } = stored;
    return new RateLimiterRes(
      Math.max(this.points - points, 0),
      Math.max(Number(stored.expire) - Date.now(), 0),
      points,
      points === changedPoints,
    );
  }
}
