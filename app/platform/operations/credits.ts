/** Credits (W12). */
import { z } from 'zod';
import { body, operation } from '@gatehouse/platform/server';
import { creditReasons, type CreditHistory } from '../credits/credits';

const pageSize = 50;
const days = 28;

const upstreamDay = z.object({ day: z.iso.date(), spent: z.number(), balance: z.number() });

const upstreamEntry = z
  .object({
    id: z.string().min(1),
    at: z.iso.datetime({ offset: true }),
    change: z.number(),
    balance: z.number(),
    reason: z.enum(creditReasons),
    generation_id: z.string().nullish(),
  })
  .transform(({ generation_id: generation = null, ...entry }) => ({ ...entry, generation }));

const upstreamHistory = z.object({
  balance: z.number(),
  days: z.array(z.unknown()),
  entries: z.array(z.unknown()),
  next_cursor: z.string().nullish(),
});

interface Page {
  cursor?: string | undefined;
}

export const credits = {
  history: operation({
    get: '/credits',
    inWorkspace: true,
    query: ({ cursor }: Page = {}) => ({
      limit: String(pageSize),
      cursor,
    }),
    codes: ({ cursor }: Page = {}) => (cursor ? { 422: 'invalid_cursor' } : {}),
    returns: body(upstreamHistory, (history, list): CreditHistory => ({
      balance: history.balance,
      // Oldest first: a platform that sends more days sends the current ones last.
      days: list(upstreamDay, history.days.slice(-days), days),
      entries: list(upstreamEntry, history.entries, pageSize),
      nextCursor: history.next_cursor ?? null,
    })),
  }),
};
