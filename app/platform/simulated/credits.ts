/** Credit accounts: balances and their history. A person's own balance is also in their profile. */
import { createHash } from 'node:crypto';
import {
  errorResponse,
  jsonResponse,
  type Operation,
  type Persona,
  type StateParts,
} from '@gatehouse/simulator/operations';
import { workspaceGone, workspaceOf, type Workspace, type Workspaces } from './workspaces';

/** The account's owner. */
export interface Holder {
  persona: Persona;
  workspace: Workspace;
}

interface Booking {
  change: number;
  reason: Entry['reason'];
  generation: string;
  /** Milliseconds since the epoch. Default: now. */
  at?: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 28;
const MAX_PAGE = 100;
/** Entries kept of one account. */
const MAX_ENTRIES = 2_000;

interface Entry {
  number: number;
  at: number;
  change: number;
  /** After the change. */
  balance: number;
  reason: 'generation' | 'refund' | 'grant';
  generation_id: string | null;
}

export type Credits = ReturnType<typeof createState>;

export function createState({ clock, personas }: StateParts) {
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
  const balance = (holder: Holder) => entriesOf(holder).at(-1)?.balance ?? 0;

  return {
    balance,
    /** False, without an entry, if the balance does not cover it. */
    book(holder: Holder, { change, reason, generation, at = clock.now() }: Booking): boolean {
      const after = balance(holder) + change;
      if (after < 0) return false;
      const entries = entriesOf(holder);
      const number = (entries.at(-1)?.number ?? 0) + 1;
      entries.push({ number, at, change, balance: after, reason, generation_id: generation });
      if (entries.length > MAX_ENTRIES) entries.shift();
      if (holder.workspace.credits === null) {
        if (change < 0) personas.spendCredit(holder.persona, -change);
        else personas.giveCredits(holder.persona, change);
      }
      return true;
    },
    /** Null if limit or cursor is invalid. */
    history(holder: Holder, page: { limit: string | null; cursor: string | null }) {
      const count = page.limit === null ? 20 : Number(page.limit);
      if (!Number.isInteger(count) || count < 1 || count > MAX_PAGE) return null;
      const { cursor } = page;
      const last = cursor === null ? Infinity : Number(/^e(\d{1,9})$/.exec(cursor)?.[1]);
      if (Number.isNaN(last)) return null;
      const entries = entriesOf(holder);
      const rest = entries.filter(({ number }) => number <= last);
      const next = rest.at(-count - 1);
      return {
        balance: balance(holder),
        days: daysOf(entries, clock.now()),
        // Newest first.
        entries: rest
          .slice(-count)
          .toReversed()
          .map(({ number, ...entry }) => ({
            ...entry,
            id: `ent_${number}`,
            at: new Date(entry.at).toISOString(),
          })),
        next_cursor: next ? `e${next.number}` : null,
      };
    },
  };
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
    const { number = 0, balance: before = 0 } = entries.at(-1) ?? {};
    const after = before + change;
    entries.push({ number: number + 1, at, change, balance: after, reason, generation_id: null });
  };
  add(start, granted, 'grant');
  spent.forEach((change, day) => {
    if (change > 0) add(start + day * DAY_MS + (chance[day] ?? 0) * 60_000, -change, 'generation');
  });
  return entries;
}

/**
 * The last 28 days, oldest first.
 *
 * @param entries oldest first.
 */
function daysOf(entries: readonly Entry[], now: number) {
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

export const operations = [
  {
    name: 'credit_history',
    method: 'GET',
    path: '/credits',
    run(call) {
      const workspace = workspaceOf(call);
      if (!workspace) return workspaceGone;
      const { persona, state, query } = call;
      const history = state.credits.history(
        { persona, workspace },
        { limit: query.get('limit'), cursor: query.get('cursor') },
      );
      return history
        ? jsonResponse(200, history)
        : errorResponse(422, 'invalid_page', 'limit or cursor is not valid.');
    },
  },
] as const satisfies readonly Operation<{ credits: Credits; workspaces: Workspaces }>[];
