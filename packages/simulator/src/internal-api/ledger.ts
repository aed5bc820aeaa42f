/**
 * The ledger: every call to the internal API with the site request it belongs to, notes from the edge, and
 * the rules of the contract that a call violated.
 */
import type { FaultKind } from './faults.ts';
import type { SiteRequest } from '../people/tickets.ts';

/**
 * Beyond this many entries the oldest are dropped; the calls among them that violated a rule are kept, up to
 * as many again.
 */
const CAPACITY = 5_000;
const DETAIL_LENGTH = 300;

/** What each kind of violation means, for the page and for a failing test. */
export const VIOLATIONS = {
  unguarded_call: 'An SDK call was not preceded by a passed /user in the same site request (W09).',
  no_identity: 'An SDK call came without a visitor: not from within a site request (W13).',
  late_call: 'A call came after the site request that it was for had been answered (W13).',
  ticket_replayed:
    'A call carried the ticket of another call: each call has its own, good once and for its method and path (W13).',
  credentials_sent: 'A call carried credentials; the platform attaches identity itself (W01).',
  body_sent: 'A GET carried a body (W01).',
  cookie_sent: 'A call carried a cookie; the site must not forward any (W01).',
  browser_call: 'A browser called the internal address (W02).',
  wrong_host: 'A call named another host than the internal address (W02).',
  unknown_endpoint: 'The internal API has no such endpoint.',
} as const;

export type ViolationKind = keyof typeof VIOLATIONS;

/** What the edge records beside the calls. */
export type NoteKind =
  | 'return_path_refused'
  | 'header_stripped'
  | 'sign_in_refused'
  | 'upgrade_refused'
  | 'user_without_visitor'
  | 'auth_route_fetched'
  | 'api_navigated'
  | 'platform_cookie_set_by_site'
  | 'site_unreachable'
  | 'ignored_by_sandbox';

export interface CallEntry {
  kind: 'call';
  id: number;
  /** ISO 8601. */
  at: string;
  siteRequest: SiteRequest | null;
  persona: string | null;
  method: string;
  /** Path and query as called. */
  path: string;
  /** `user`, the name of an operation, or `unknown`. */
  endpoint: string;
  /** Null while the call is pending, and when it was cut before a status was sent. */
  status: number | null;
  durationMs: number | null;
  /** `cut` by a fault; `aborted` by the caller. */
  outcome: 'pending' | 'answered' | 'cut' | 'aborted';
  fault: FaultKind | null;
  violations: ViolationKind[];
}

export interface NoteEntry {
  kind: 'note';
  id: number;
  at: string;
  note: NoteKind;
  /** Truncated, and never shown to a visitor. */
  detail: string;
  siteRequest: SiteRequest | null;
}

export type LedgerEntry = CallEntry | NoteEntry;

/** The endpoint of a call: `unknown` where the internal API has none. */
export type LedgerEndpoint<Name extends string> = 'user' | 'unknown' | Name;

/** Every given field must match. `path` is the site request's path and query, or a prefix of it. */
export interface LedgerFilter<Name extends string = string> {
  endpoint?: LedgerEndpoint<Name>;
  persona?: string | null;
  path?: string;
  note?: NoteKind;
}

type OpenCall = Pick<
  CallEntry,
  'siteRequest' | 'persona' | 'method' | 'path' | 'endpoint' | 'violations'
>;

type CloseCall = Pick<CallEntry, 'status' | 'outcome' | 'fault'>;

export interface Ledger<Name extends string = string> {
  /** Records a call as pending; `close` completes the same entry. */
  open(call: OpenCall): CallEntry;
  close(entry: CallEntry, result: CloseCall): void;
  note(note: NoteKind, detail: string, siteRequest?: SiteRequest | null): void;
  /**
   * Oldest first.
   *
   * @throws {Error} one sentence that lists the names when the filter's endpoint is unknown: nothing would
   *   ever match.
   */
  entries(filter?: LedgerFilter<Name>): LedgerEntry[];
  /** Only calls, oldest first. */
  calls(filter?: Omit<LedgerFilter<Name>, 'note'>): CallEntry[];
  /** The calls that violated a rule, oldest first. */
  violations(): CallEntry[];
  clear(): void;
  /** Calls `listener` with each new or completed entry, and with null when the ledger was cleared. */
  subscribe(listener: (entry: LedgerEntry | null) => void): () => void;
}

/**
 * Creates an empty ledger that keeps the newest 5,000 entries, and older calls that violated a rule.
 *
 * @param operations the names that an endpoint may have besides `user` and `unknown`.
 */
export function createLedger(operations: readonly string[] = [], capacity = CAPACITY): Ledger {
  const endpoints = ['user', ...operations, 'unknown'];
  let kept: LedgerEntry[] = [];
  /** Violations older than all entries in `kept`. */
  let broken: LedgerEntry[] = [];
  let lastId = 0;
  const startedAt = new WeakMap<CallEntry, number>();
  const listeners = new Set<(entry: LedgerEntry | null) => void>();

  const tell = (entry: LedgerEntry | null): void => {
    for (const listener of listeners) listener(entry);
  };
  const olderBroken = (): LedgerEntry[] =>
    [...broken, ...kept.slice(0, -capacity).filter(brokeRule)].slice(-capacity);
  const append = (entry: LedgerEntry): void => {
    kept.push(entry);
    // Dropped in blocks, so that a busy ledger is not copied at every call.
    if (kept.length > capacity * 1.1) {
      broken = olderBroken();
      kept = kept.slice(-capacity);
    }
    tell(entry);
  };
  const stamp = (): { id: number; at: string } => {
    lastId += 1;
    return { id: lastId, at: new Date().toISOString() };
  };

  const ledger: Ledger = {
    open(call) {
      const entry: CallEntry = {
        kind: 'call',
        ...stamp(),
        ...call,
        status: null,
        durationMs: null,
        outcome: 'pending',
        fault: null,
      };
      startedAt.set(entry, performance.now());
      append(entry);
      return entry;
    },
    close(entry, result) {
      const began = startedAt.get(entry) ?? performance.now();
      Object.assign(entry, result, {
        durationMs: Math.round((performance.now() - began) * 10) / 10,
      });
      tell(entry);
    },
    note(note, detail, siteRequest = null) {
      append({
        kind: 'note',
        ...stamp(),
        note,
        detail: detail.slice(0, DETAIL_LENGTH),
        siteRequest,
      });
    },
    entries(filter = {}) {
      const { endpoint } = filter;
      if (endpoint !== undefined && !endpoints.includes(endpoint)) {
        throw new Error(`Unknown endpoint ${endpoint}: the endpoints are ${endpoints.join(', ')}.`);
      }
      const older = olderBroken();
      return [...older, ...kept.slice(-capacity)].filter((entry) => matches(entry, filter));
    },
    calls: (filter = {}) =>
      ledger.entries(filter).filter((entry): entry is CallEntry => entry.kind === 'call'),
    violations: () => ledger.calls().filter(brokeRule),
    clear() {
      kept = [];
      broken = [];
      tell(null);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return ledger;
}

function brokeRule(entry: LedgerEntry): boolean {
  return entry.kind === 'call' && entry.violations.length > 0;
}

function matches(entry: LedgerEntry, filter: LedgerFilter): boolean {
  const call = entry.kind === 'call' ? entry : null;
  const note = entry.kind === 'note' ? entry : null;
  return (
    (filter.endpoint === undefined || call?.endpoint === filter.endpoint) &&
    (filter.persona === undefined || (call !== null && call.persona === filter.persona)) &&
    (filter.note === undefined || note?.note === filter.note) &&
    (filter.path === undefined || (entry.siteRequest?.path.startsWith(filter.path) ?? false))
  );
}
