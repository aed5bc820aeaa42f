/**
 * Which rows of one member another person may see, by `published` in `e2e/site.ts`: asked of the store at the moment, so
 * that a row that has been withdrawn excuses nothing.
 */
import type { PublishedRows } from '@gatehouse/simulator';
import type { Route } from '../inventory/route.ts';
import type { Account } from '../people/people.ts';
import { markOf, wordsIn } from '../people/words.ts';
import { accountIds } from './account-ids.ts';
import { keysOf, quoted, shortestId, textOf, type Query } from './store.ts';
import { withoutWhole } from './whole-text.ts';

/** A value that a visitor may see. */
export interface ShownValue {
  table: string;
  /** Identifies its row in the table. */
  row: string;
  text: string;
}

/** What `published` has excused in one table. */
export interface Excused {
  table: string;
  rows: number;
  values: number;
  /** The paths of the routes that showed them. */
  routes: string[];
}

export interface Published {
  /** What may be seen of others on a route, signed in to this account or to none. */
  shownOn: (route: Route | null, account: Account | null) => ShownValue[];
  /** Whether the store cannot be asked what a route may show. */
  isUnknown: (route: Route) => boolean;
  /** The words of a text, without those that may be shown, which it notes as excused. */
  excuse: (text: string, shown: readonly ShownValue[], route: Route | null) => Set<string>;
  /** Whether the parameters of an address name rows, by their keys, all of which the account may see on the route. */
  namesShared: (route: Route, parameters: readonly string[], account: Account) => boolean;
  /**
   * Whether a row, as JSON, belongs to the account too: a column that `members` names has its id. Whom a `select` names
   * may see the row, and not change it.
   */
  ownedTooBy: (account: Account) => (table: string, row: string) => boolean;
  /** Whether everybody may see a word, where a route declares so. */
  isPublic: (word: string) => boolean;
  /** Whether something that may be shown was seen on a route. */
  hasSeen: (route: Route) => boolean;
  excused: () => Excused[];
}

type Row = Record<string, unknown>;

/** An entry of `published`. With neither `members` nor `role`, everybody may see its rows. */
interface Rule {
  table: string;
  columns: readonly string[];
  where?: string | undefined;
  members: readonly string[] | null;
  role?: string | undefined;
}

/**
 * @param query null if the store cannot be asked: then nothing is excused.
 * @throws {Error} one sentence that names the entry which the store cannot evaluate.
 */
export function openPublished(entries: readonly PublishedRows[], query: Query | null): Published {
  const rules: Rule[] = entries.map((entry) => ({
    ...entry,
    members: ('members' in entry && entry.members) || null,
  }));
  const tables = [...new Set(rules.map(({ table }) => table))];
  const ask: Query = query ?? (() => []);
  const idsOf = accountIds(ask);
  const seen = new Map<string, { rows: Set<string>; values: Set<string>; routes: Set<string> }>();
  const seenOn = new Set<string>();

  const rowsFor = (rule: Rule, account: Account | null): Row[] => {
    if (!rule.members) return select(ask, rule);
    return account ? idsOf(account).flatMap((id) => select(ask, rule, id)) : [];
  };
  const isFor = ({ members, role }: Rule, route: Route | null) => {
    if (members) return route?.access === 'account' || route?.access === 'both';
    return role === undefined ? route?.showsPublished === true : route?.role === role;
  };
  const applies = (rule: Rule, route: Route | null, account: Account | null) =>
    isFor(rule, route) && (rule.role === undefined || account?.roles?.has(rule.role) === true);
  const valuesOf = (rule: Rule, account: Account | null): ShownValue[] =>
    rowsFor(rule, account).flatMap((row) =>
      rule.columns.map((column) => ({
        table: rule.table,
        row: keyOf(row),
        text: asText(row[column]),
      })),
    );

  for (const [index, rule] of rules.entries()) {
    const table = quoted(rule.table);
    try {
      // A name in quotes that is no column would be taken for a text.
      for (const column of rule.columns)
        ask(`select ${table}.${quoted(column)} from ${table} limit 0`);
      select(ask, rule, '');
    } catch (error) {
      throw new Error(
        `\`published\` in e2e/site.ts, entry ${index + 1} (${rule.table}): ${(error as Error).message}.`,
        { cause: error },
      );
    }
  }

  const noteRow = ({ table, row }: Pick<ShownValue, 'table' | 'row'>, route: Route | null) => {
    const tally = seen.get(table) ?? { rows: new Set(), values: new Set(), routes: new Set() };
    seen.set(table, tally);
    tally.rows.add(row);
    if (route) {
      tally.routes.add(route.path);
      seenOn.add(route.id);
    }
    return tally.values;
  };

  return {
    shownOn: (route, account) =>
      rules.flatMap((rule) => (applies(rule, route, account) ? valuesOf(rule, account) : [])),
    isUnknown: (route) => query === null && rules.some((rule) => isFor(rule, route)),
    excuse(text, shown, route) {
      const note = (value: ShownValue) => {
        noteRow(value, route).add(value.text);
      };
      const byWord = new Map<string, ShownValue>();
      let rest = text;
      for (const value of shown) {
        for (const word of wordsIn(value.text)) {
          if (markOf(word) !== word) byWord.set(word, value);
          // The same mark may stand elsewhere: only the whole text is excused, not the mark in an e-mail address.
          else {
            const without = withoutWhole(value.text, rest);
            if (without !== rest) note(value);
            rest = without;
          }
        }
      }
      const left = wordsIn(rest);
      for (const word of left) {
        const value = byWord.get(word);
        if (!value) continue;
        left.delete(word);
        note(value);
      }
      return left;
    },
    namesShared(route, parameters, account) {
      // A shorter one, such as a number, may be the id of rows in several tables.
      const ids = parameters.filter((parameter) => parameter.length >= shortestId);
      const named = tables.flatMap((table) => {
        const visible = rules
          .filter((rule) => rule.table === table && applies(rule, route, account))
          .flatMap((rule) => rowsFor(rule, account));
        const among = new Set(visible.map(textOf));
        const keys = keysOf(table, ask);
        return ask(`select * from ${quoted(table)}`)
          .filter((row) => keys.some((key) => ids.includes(String(row[key]))))
          .map((row) => ({ table, row: keyOf(row), isVisible: among.has(textOf(row)) }));
      });
      if (named.length === 0 || !named.every(({ isVisible }) => isVisible)) return false;
      for (const row of named) noteRow(row, route);
      return true;
    },
    ownedTooBy(account) {
      const owned = rules.map((rule) => ({
        ...rule,
        members: (rule.members ?? []).filter(isColumn),
      }));
      const rows = new Set(
        owned
          .filter(({ members }) => members.length > 0)
          .flatMap((rule) => rowsFor(rule, account).map((row) => `${rule.table} ${textOf(row)}`)),
      );
      return (table, row) => rows.has(`${table} ${row}`);
    },
    isPublic: (word) =>
      rules.some(
        (rule) =>
          !rule.members &&
          rule.role === undefined &&
          valuesOf(rule, null).some(({ text }) => wordsIn(text).has(word)),
      ),
    hasSeen: ({ id }) => seenOn.has(id),
    excused: () =>
      tables.map((table) => {
        const tally = seen.get(table);
        const routes = [...(tally?.routes ?? [])].sort();
        return { table, rows: tally?.rows.size ?? 0, values: tally?.values.size ?? 0, routes };
      }),
  };
}

/** The rows of a rule; of one with members, those of which the account with this id is one. */
function select(query: Query, { table, where, members }: Rule, id?: unknown): Row[] {
  const among = members?.map((member) => `? in (${member})`).join(' or ');
  const conditions = [where, among].flatMap((condition) => (condition ? [`(${condition})`] : []));
  return query(
    `select ${quoted(table)}.* from ${quoted(table)} where ${conditions.join(' and ')}`,
    members?.map(() => id),
  );
}

/** Of `members`, which may also be a `select`. */
function isColumn(member: string): boolean {
  return /^"?\w+"?$/.test(member);
}

function keyOf(row: Row): string {
  return 'id' in row ? String(row['id']) : textOf(row);
}

function asText(value: unknown): string {
  if (value instanceof ArrayBuffer || value instanceof Uint8Array)
    return Buffer.from(value as Uint8Array).toString('latin1');
  return typeof value === 'string' ? value : '';
}
