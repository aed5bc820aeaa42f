/** Credits over HTTP (W12). */
import { z } from 'zod';
import type { SdkCalls } from '@gatehouse/platform/server';
import { creditReasons } from './credits';
import type { Credits } from './port.server';

const pageSize = 50;
const days = 28;

const upstreamDay = z.object({ day: z.iso.date(), spent: z.number(), balance: z.number() });

const upstreamEntry = z.object({
  id: z.string().min(1),
  at: z.iso.datetime({ offset: true }),
  change: z.number(),
  balance: z.number(),
  reason: z.enum(creditReasons),
  generation_id: z.string().nullish(),
});

const upstreamHistory = z.object({
  balance: z.number(),
  days: z.array(z.unknown()),
  entries: z.array(z.unknown()),
  next_cursor: z.string().nullish(),
});

export function createCredits(calls: SdkCalls): Credits {
  return {
    async history({ cursor } = {}) {
      const path = calls.inWorkspace('/credits', { limit: String(pageSize), cursor });
      const history = await calls.call(
        upstreamHistory,
        { path },
        { 409: 'workspace_gone', ...(cursor && { 422: 'invalid_cursor' }) },
      );
      const entries = calls.readable(upstreamEntry, history.entries, { path, size: pageSize });
      return {
        balance: history.balance,
        // Oldest first: a platform that sends more days sends the current ones last.
        days: calls.readable(upstreamDay, history.days.slice(-days), { path, size: days }),
        entries: entries.map(({ generation_id: generation = null, ...entry }) => ({
          ...entry,
          generation,
        })),
        nextCursor: history.next_cursor ?? null,
      };
    },
  };
}
