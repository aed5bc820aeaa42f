/**
 * Rate limits, per account so that rotating IP addresses does not help, and per IP address so that
 * rotating accounts does not. The account is identified by its e-mail address, whether or not it
 * exists.
 */
import { createHash } from 'node:crypto';
import { CompiledQuery, type Kysely } from 'kysely';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { AccountsSite } from './site.ts';
import type { AccountTables } from './tables.ts';

export interface Rate {
  times: number;
  minutes: number;
}

/** Declared beside the action that it limits. */
export interface Limit {
  /** Limits of one name are counted together. */
  name: string;
  account: Rate;
  /** Of an IP address, or its network. */
  address?: Rate;
}

export interface Attempt {
  /** Of the account, whether or not it exists. */
  email: string;
  /** The visitor's IP address, if known. */
  address: string | undefined;
}

/** Too many attempts. */
export interface LimitReached {
  ok: false;
  reason: 'limited';
  retryAfterSeconds: number;
}

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit.
 *
 * @returns null if it is allowed.
 */
export async function countAttempt(
  site: AccountsSite,
  limit: Limit,
  attempt: Attempt,
): Promise<LimitReached | null> {
  // One attempt in a hundred deletes expired rows.
  if (Math.random() < 0.01) await forgetOld(site);
  for (const { limiter, key } of limitersOf(site, limit, attempt)) {
    try {
      await limiter.consume(key);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      const retryAfterSeconds = Math.max(1, Math.ceil(reason.msBeforeNext / 1000));
      return { ok: false, reason: 'limited', retryAfterSeconds };
    }
  }
  return null;
}

/** The password was right: resets the account's count, and takes this attempt off the address's. */
export async function forgiveAttempts(
  site: AccountsSite,
  limit: Limit,
  attempt: Attempt,
): Promise<void> {
  for (const { limiter, key, by } of limitersOf(site, limit, attempt)) {
    if (by === 'account') await limiter.delete(key);
    else await limiter.reward(key);
  }
}

/**
 * A limit of one of the site's own actions: `const invitations = limit({ name: 'invitations', account: { times: 20, minutes: 60 } })`
 * beside the action, and in it `const limited = await invitations.count(call); if (limited) return limited;`.
 */
export function ownLimit(site: AccountsSite, limit: Limit) {
  const own = { ...limit, name: `own-${limit.name}` };
  return {
    /** Counts an attempt before it is made. @returns null if it is allowed, otherwise what `form.submit` answers with. */
    count: ({ account, address }: { account: { id: string }; address?: string | undefined }) =>
      // Its id, since an account may change its e-mail address.
      countAttempt(site, own, { email: account.id, address }),
  };
}

/** The IP address first, so that a blocked one cannot use up the attempts of other people's accounts. */
function limitersOf(site: AccountsSite, limit: Limit, { email, address }: Attempt) {
  const storeClient = clientOf(site.store());
  const make = (by: 'account' | 'address', { times, minutes }: Rate, who: string) => ({
    by,
    limiter: new RateLimiterPostgres({
      keyPrefix: `${limit.name}-${by}`,
      points: times,
      duration: minutes * 60,
      storeClient,
      storeType: 'client',
      tableName: 'account_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
    }),
    // Hashed, so that no table lists mistyped e-mail addresses.
    key: createHash('sha256').update(who).digest('base64url'),
  });
  const account = make('account', limit.account, email.toLowerCase());
  // Null for a proxy's address: see TRUSTED_PROXIES.
  const network = address === undefined ? null : site.networkOf(address);
  if (network === null || !limit.address) return [account];
  return [make('address', limit.address, network), account];
}

/**
 * PostgreSQL's client on the site's store, so that all processes share their counts. The limiter's statements are
 * standard SQL, which SQLite runs too: the library's own limiter for SQLite needs the database's connection.
 */
function clientOf(db: Kysely<unknown>) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
    },
  };
}

async function forgetOld(site: AccountsSite): Promise<void> {
  await site
    .store<AccountTables>()
    .deleteFrom('account_limit')
    .where('expire', '<', Date.now())
    .execute();
}
