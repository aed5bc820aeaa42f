/**
 * Which rows of one member another person may see, by `published` in `e2e/site.ts`: asked of the store at the moment, so
 * that a row that has been withdrawn excuses nothing.
 */
import type { PublishedRows } from '@gatehouse/simulator';
import type { Route } from '../inventory/route.ts';
import type { Account } from '../people/people.ts';
import { markOf, wordsIn } from '../people/words.ts';
import { quoted, shortestId, textOf, type Query } from './store.ts';

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
  /** The words of a text, without those that may be shown. */
  notShown: (text: string, shown: readonly ShownValue[], route: Route | null) => Set<string>;
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

/** Shorter ones, which have hardly more than the mark, count only where a whole element or value has them. */
const shortestText = 12;

/** @throws {Error} one sentence that names the entry which the store cannot evaluate. */
export function openPublished(entries: readonly PublishedRows[], query: Query): Published {
  const idsOf = accountIds(query);
  const seen = new Map<string, { rows: Set<string>; values: Set<string>; routes: Set<string> }>();
  const seenOn = new Set<string>();

  const rowsFor = (entry: PublishedRows, account: Account | null): Row[] => {
    const members = 'members' in entry ? entry.members : null;
    if (!members) return select(query, entry, [], []);
    if (!account) return [];
    return idsOf(account).flatMap((id) =>
      select(
        query,
        entry,
        members,
        members.map(() => id),
      ),
    );
  };
  const applies = (entry: PublishedRows, route: Route | null) =>
    'members' in entry
      ? route?.access === 'account' || route?.access === 'both'
      : route?.showsPublished === true;
  const valuesOf = (entry: PublishedRows, account: Account | null): ShownValue[] =>
    rowsFor(entry, account).flatMap((row) =>
      entry.columns.map((column) => ({
        table: entry.table,
        row: keyOf(row),
        text: asText(row[column]),
      })),
    );

  for (const [index, entry] of entries.entries()) {
    try {
      // A name in quotes that is no column would be taken for a text.
      for (const column of entry.columns)
        query(
          `select ${quoted(entry.table)}.${quoted(column)} from ${quoted(entry.table)} limit 0`,
        );
      const members = 'members' in entry ? entry.members : [];
      select(
        query,
        entry,
        members,
        members.map(() => ''),
      );
    } catch (error) {
      throw new Error(
        `\`published\` in e2e/site.ts, entry ${index + 1} (${entry.table}): ${(error as Error).message}.`,
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
      entries.flatMap((entry) => (applies(entry, route) ? valuesOf(entry, account) : [])),
    notShown(text, shown, route) {
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
      const tables = new Map<string, Row[]>();
      for (const entry of entries) {
        const visible = applies(entry, route) ? rowsFor(entry, account) : [];
        tables.set(entry.table, [...(tables.get(entry.table) ?? []), ...visible]);
      }
      const named = [...tables].flatMap(([table, visible]) => {
        const among = new Set(visible.map(textOf));
        const keys = keysOf(table, query);
        return query(`select * from ${quoted(table)}`)
          .filter((row) => keys.some((key) => ids.includes(String(row[key]))))
          .map((row) => ({ table, row: keyOf(row), isVisible: among.has(textOf(row)) }));
      });
      if (named.length === 0 || !named.every(({ isVisible }) => isVisible)) return false;
      for (const row of named) noteRow(row, route);
      return true;
    },
    ownedTooBy(account) {
      const ids = idsOf(account);
      const rows = new Set(
        entries.flatMap((entry) => {
          const owners = 'members' in entry ? entry.members.filter(isColumn) : [];
          if (owners.length === 0) return [];
          return ids
            .flatMap((id) =>
              select(
                query,
                entry,
                owners,
                owners.map(() => id),
              ),
            )
            .map((row) => `${entry.table} ${textOf(row)}`);
        }),
      );
      return (table, row) => rows.has(`${table} ${row}`);
    },
    isPublic: (word) =>
      entries.some(
        (entry) =>
          !('members' in entry) &&
          valuesOf(entry, null).some(({ text }) => wordsIn(text).has(word)),
      ),
    hasSeen: ({ id }) => seenOn.has(id),
    excused: () =>
      [...new Set(entries.map(({ table }) => table))].map((table) => {
        const tally = seen.get(table);
        const routes = [...(tally?.routes ?? [])].sort();
        return { table, rows: tally?.rows.size ?? 0, values: tally?.values.size ?? 0, routes };
      }),
  };
}

function select(
  query: Query,
  { table, where }: PublishedRows,
  members: readonly string[],
  ids: readonly unknown[],
): Row[] {
  const among = members.map((member) => `? in (${member})`).join(' or ');
  const conditions = [where, among].filter((condition) => condition).map((one) => `(${one})`);
  return query(
    `select ${quoted(table)}.* from ${quoted(table)} where ${conditions.join(' and ')}`,
    ids,
  );
}

/**
 * The ids of an account, asked anew each time, because one that was deleted and has signed up again has another. Its row is
 * recognised by the e-mail address.
 */
function accountIds(query: Query): (account: Pick<Account, 'email'>) => unknown[] {
  let places: { table: string; column: string }[] | null = null;
  return ({ email }) => {
    if (!places?.length) {
      const tables = query(
        `select name from pragma_table_list where schema = 'main' and type = 'table'`,
      );
      places = tables.flatMap(({ name }) => {
        const table = String(name);
        const columns = query('select name from pragma_table_info(?)', [table]).map((row) =>
          String(row['name']),
        );
        if (!columns.includes('id')) return [];
        return columns
          .filter(
            (column) =>
              query(`select 1 from ${quoted(table)} where ${quoted(column)} = ?`, [email]).length >
              0,
          )
          .map((column) => ({ table, column }));
      });
    }
    return places.flatMap(({ table, column }) =>
      query(`select id from ${quoted(table)} where ${quoted(column)} = ?`, [email]).map(
        ({ id }) => id,
      ),
    );
  };
}

/** Of `members`, which may also be a `select`. */
function isColumn(member: string): boolean {
  return /^"?\w+"?$/.test(member);
}

/** The columns that identify a row by themselves. */
function keysOf(table: string, query: Query): string[] {
  const unique = query('select name from pragma_index_list(?) where "unique"', [table])
    .map(({ name }) => query('select name from pragma_index_info(?)', [name]))
    .filter((columns) => columns.length === 1)
    .flat();
  return [...new Set(['id', ...unique.map(({ name }) => String(name))])];
}

function keyOf(row: Row): string {
  return 'id' in row ? String(row['id']) : textOf(row);
}

/** A text without a value. A short one is left, except where it is all of an element's text or of a value in quotes. */
function withoutWhole(value: string, text: string): string {
  const before = value.length < shortestText ? '(?<=[>"])' : '';
  const after = value.length < shortestText ? '(?=[<"\\\\])' : '';
  return spellings(value).reduce((rest, spelling) => {
    const literal = spelling.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return rest.replaceAll(new RegExp(`${before}${literal}${after}`, 'g'), '');
  }, text);
}

/** How a text may be written in a response. */
function spellings(text: string): string[] {
  const inHtml = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const inAddress = encodeURIComponent(text);
  return [
    ...new Set([
      ...[text, inHtml, inHtml.replaceAll("'", '&#x27;'), JSON.stringify(text).slice(1, -1)],
      ...[inAddress, inAddress.replaceAll('%20', '+')],
    ]),
  ];
}

function asText(value: unknown): string {
  if (value instanceof ArrayBuffer || value instanceof Uint8Array)
    return Buffer.from(value as Uint8Array).toString('latin1');
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
