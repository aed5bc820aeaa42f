/** Credits of the offline demo (W31). */
import { balanceOf, demoWorkspaceOf, type DemoAccount } from '../demo-account.server';
import { PlatformSdkError } from '@gatehouse/platform/server';
import type { CreditDay, CreditEntry } from './credits';
import type { Credits } from './port.server';

const pageSize = 50;
const dayMs = 24 * 60 * 60 * 1000;

export function createDemoCredits(account: DemoAccount, workspace?: string): Credits {
  return {
    async history({ cursor } = {}) {
      const own = await Promise.resolve(demoWorkspaceOf(account, workspace));
      const start = cursor ? own.entries.findIndex(({ id }) => id === cursor) : 0;
      if (start < 0) throw new PlatformSdkError(422, 'invalid_cursor');
      return {
        balance: balanceOf(own),
        days: daysOf(own.entries),
        entries: own.entries.slice(start, start + pageSize),
        nextCursor: own.entries[start + pageSize]?.id ?? null,
      };
    },
  };
}

/** @param entries newest first. */
function daysOf(entries: readonly CreditEntry[]): CreditDay[] {
  return Array.from({ length: 28 }, (_, index) => {
    const day = new Date(Date.now() - (27 - index) * dayMs).toISOString().slice(0, 10);
    const spent = entries
      .filter(({ at, reason }) => at.startsWith(day) && reason !== 'grant')
      .reduce((sum, { change }) => sum - change, 0);
    const balance = entries.find(({ at }) => at.slice(0, 10) <= day)?.balance ?? 0;
    return { day, spent, balance };
  });
}
