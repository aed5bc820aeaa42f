/**
 * Rate limits, per account so that rotating IP addresses does not help, and per IP address so that
 * rotating accounts does not. The account is identified by its e-mail address, whether or not it
 * exists.
 */
import { createHash } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { store } from '~/store/store.server';
import type { AccountTables } from '../tables.server';
import { StoreRateLimiter } from './rate-limiter.server';

const minute = 60;

/** `points` attempts per `duration` seconds. */
const limits = {
  /** Wrong passwords. The right password resets the count. */
  password: {
    account: { points: 10, duration: 15 * minute },
    address: { points: 100, duration: 15 * minute },
  },
  /** Forms that send mail to any address they are given. */
  mail: {
    account: { points: 5, duration: 60 * minute },
    address: { points: 60, duration: 60 * minute },
  },
  /** Counted apart: whoever signs up with a stranger's address must not block its password reset. */
  reset: {
    account: { points: 5, duration: 60 * minute },
    address: { points: 60, duration: 60 * minute },
  },
} as const;

const privateNetworks = new BlockList();
privateNetworks.addSubnet('10.0.0.0', 8);
privateNetworks.addSubnet('127.0.0.0', 8);
privateNetworks.addSubnet('169.254.0.0', 16);
privateNetworks.addSubnet('172.16.0.0', 12);
privateNetworks.addSubnet('192.168.0.0', 16);
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

export type LimitedAction = keyof typeof limits;

export interface Attempt {
  email: string;
  /** The visitor's IP address, if known. */
  address: string | undefined;
}

/** Too many attempts. */
export interface Limited {
  retryAfterSeconds: number;
}

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit.
 *
 * @returns null if it is allowed.
 */
export async function countAttempt(
  action: LimitedAction,
  attempt: Attempt,
): Promise<Limited | null> {
  // One attempt in a hundred deletes expired rows.
  if (Math.random() < 0.01) await forgetOld();
  for (const { limiter, key } of limitersOf(action, attempt)) {
    try {
      await limiter.consume(key);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      return { retryAfterSeconds: Math.max(1, Math.ceil(reason.msBeforeNext / 1000)) };
    }
  }
  return null;
}

/** The password was right: resets the account's count, and takes this attempt off the address's. */
export async function forgiveAttempts(action: LimitedAction, attempt: Attempt): Promise<void> {
  for (const { limiter, key, by } of limitersOf(action, attempt)) {
    if (by === 'account') await limiter.delete(key);
    else await limiter.reward(key);
  }
}

/** The IP address first, so that a blocked one cannot use up the attempts of other people's accounts. */
function limitersOf(action: LimitedAction, { email, address }: Attempt) {
  const make = (by: 'account' | 'address', who: string) => ({
    by,
    limiter: new StoreRateLimiter({ keyPrefix: `${action}-${by}`, ...limits[action][by] }),
    // Hashed, so that no table lists mistyped e-mail addresses.
    key: createHash('sha256').update(who).digest('base64url'),
  });
  const account = make('account', email.toLowerCase());
  const isCounted = address !== undefined && isVisitors(address);
  return isCounted ? [make('address', network(address)), account] : [account];
}

async function forgetOld(): Promise<void> {
  await store<AccountTables>()
    .deleteFrom('account_limit')
    .where('expire', '<', Date.now())
    .execute();
}

/** A private address belongs to a proxy and would count for every visitor: see TRUSTED_PROXIES. */
function isVisitors(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !privateNetworks.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** An IPv6 customer usually has a whole /64. */
function network(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const last = tail.split(':').filter(Boolean);
  const zeros = address.includes('::')
    ? Array<string>(8 - groups.length - last.length).fill('0')
    : [];
  return [...groups, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
