/** Credit accounts: balances and their history. A person's own balance is also in their profile. */
import { createHash } from 'node:crypto';

import type { Clock, Persona, PersonaBook } from '@gatehouse/simulator';
import type { Workspace } from './workspaces';

export interface EntryJson {
  id: string;
  at: string;
  change: number;
  /** The balance after the change. */
  balance: number;
  reason: 'generation' | 'refund' | 'grant';
  generation_id: string | null;
}

export interface HistoryJson {
  balance: number;
  /** The last 28 days, oldest first. */
  days: { day: string; spent: number; balance: number }[];
  /** Newest first. */
  entries: EntryJson[];
  next_cursor: string | null;
}

/** The account's owner. */
export interface Holder {
  persona: Persona;
  workspace: Workspace;
}

interface Booking {
  change: number;
  reason: EntryJson['reason'];
  generation: string;
  /** Milliseconds since the epoch. Default: now. */
  at?: number;
}

export interface Credits {
  balance(holder: Holder): number;
  /** False, without an entry, if the balance does not cover it. */
  book(holder: Holder, booking: Booking): boolean;
  /** Null if limit or cursor is invalid. */
  history(
    holder: Holder,
    page: { limit: string | null; cursor: string | null },
  ): HistoryJson | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 28;
const MAX_PAGE = 100;

type Entry = Omit<EntryJson, 'at'> & { at: number };

export function createCredits(clock: Clock, personas: PersonaBook): Credits {
  /** Oldest first. */
  const accounts = new Map<string, Entry[]>();

  const entriesOf = ({ persona, workspace }: Holder): Entry[] => {
    const known = accounts.get(workspace.id);
    if (known) return known;
    const balance = workspace.credits ?? personas.creditsOf(persona);
    const entries = pastOf(workspace.id, balance, clock.now());
    accounts.set(workspace.id, entries);
    return entries;
  };

  const credits: Credits = {
    balance: (holder) => entriesOf(holder).at(-1)?.balance ?? 0,
    book(holder, { change, reason, generation, at = clock.now() }) {
      const balance = credits.balance(holder) + change;
      if (balance < 0) return false;
      const entries = entriesOf(holder);
      const id = `ent_${entries.length + 1}`;
      entries.push({ id, at, change, balance, reason, generation_id: generation });
      if (holder.workspace.credits === null) {
        if (change < 0) personas.spendCredit(holder.persona, -change);
        else personas.giveCredits(holder.persona, change);
      }
      return true;
    },
    history(holder, { limit, cursor }) {
      const count = limit === null ? 20 : Number(limit);
      if (!Number.isInteger(count) || count < 1 || count > MAX_PAGE) return null;
      const entries = entriesOf(holder);
      const end = cursor === null ? entries.length : Number(/^e(\d{1,9})$/.exec(cursor)?.[1]);
      if (Number.isNaN(end)) return null;
      const start = Math.max(0, end - count);
      return {
        balance: credits.balance(holder),
        days: daysOf(entries, clock.now()),
        entries: entries
          .slice(start, end)
          .toReversed()
          .map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() })),
        next_cursor: start > 0 ? `e${start}` : null,
      };
    },
  };
  return credits;
}

/**
 * Generates a month of history that ends with this balance, always the same for the same account.
 */
function pastOf(workspaceId: string, balance: number, now: number): Entry[] {
  const chance = createHash('sha256').update(workspaceId).digest();
  const start = now - (now % DAY_MS) - (DAYS - 1) * DAY_MS;
  const spent = Array.from({ length: DAYS - 1 }, (_, day) => (chance[day] ?? 0) % 5);
  const granted = spent.reduce((sum, change) => sum + change, balance);
  const entries: Entry[] = [];
  const add = (at: number, change: number, reason: Entry['reason']) => {
    const id = `ent_${entries.length + 1}`;
    const before = entries.at(-1)?.balance ?? 0;
    entries.push({ id, at, change, balance: before + change, reason, generation_id: null });
  };
  add(start, granted, 'grant');
  spent.forEach((change, day) => {
    if (change > 0) add(start + day * DAY_MS + (chance[day] ?? 0) * 60_000, -change, 'generation');
  });
  return entries;
}

/** @param entries oldest first. */
function daysOf(entries: readonly Entry[], now: number): HistoryJson['days'] {
  return Array.from({ length: DAYS }, (_, index) => {
    const from = now - (now % DAY_MS) - (DAYS - 1 - index) * DAY_MS;
    const own = entries.filter(({ at }) => at >= from && at < from + DAY_MS);
    return {
      day: new Date(from).toISOString().slice(0, 10),
      spent: own
        .filter(({ reason }) => reason !== 'grant')
        .reduce((sum, { change }) => sum - change, 0),
      balance: entries.findLast(({ at }) => at < from + DAY_MS)?.balance ?? 0,
    };
  });
}
