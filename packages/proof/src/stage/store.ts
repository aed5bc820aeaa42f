/** Reads the running site's SQLite file, to compare its rows before and after a request. */
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { marksIn } from '../people/words.ts';

/** Why changes of rows were not observed. */
export const withoutFile =
  'the site does not store its rows in a SQLite file that the proof can read';

/** Rows by table, each as JSON. */
export type Snapshot = ReadonlyMap<string, readonly string[]>;

/** Reads rows of the store. */
export type Query = (sql: string, values?: readonly unknown[]) => Record<string, unknown>[];

export interface Store {
  query: Query;
  snapshot: () => Snapshot;
  /** A snapshot, once nothing has changed for {@link quiet}; null if that does not happen within {@link longest}. */
  still: (passingTables: readonly string[]) => Promise<Snapshot | null>;
  /** Gives an account a role, as the site's own command does; false where it has no table of roles. */
  grant: (email: string, role: string) => boolean;
  /** Holds the file's write lock, as another process might, until the returned function is called. */
  lock: () => () => void;
  close: () => void;
}

/** Milliseconds without a change: enough for work that continues after its response, such as hashing a password. */
const quiet = 400;
const longest = 20_000;

/** @returns null if the site did not create the file that it was given. */
export async function openStore(file: string | null): Promise<Store | null> {
  if (file === null || !existsSync(file)) return null;
  // Optional: sites without accounts of their own need not install it.
  const { default: Libsql } = await import('libsql');
  const database = new Libsql(file);
  database.exec('PRAGMA busy_timeout = 5000');
  database.exec('PRAGMA query_only = ON');

  const all: Query = (sql, values = []) =>
    database.prepare(sql).all(...values) as Record<string, unknown>[];
  const snapshot = (): Snapshot => {
    // Only rows: an index has no owner. The rows of a virtual table are in its `_content` table.
    const tables = all(
      `select name from pragma_table_list where schema = 'main' and name not like 'sqlite!_%' escape '!'
       and (type = 'table' or (type = 'shadow' and name like '%!_content' escape '!'))`,
    );
    return new Map(
      tables.map(({ name }) => {
        return [
          String(name),
          all(`select * from ${quoted(String(name))}`)
            .map(textOf)
            .sort(),
        ];
      }),
    );
  };
  return {
    query: all,
    snapshot,
    async still(passingTables) {
      let before = snapshot();
      for (let end = Date.now() + longest; Date.now() < end;) {
        await pause(quiet);
        const now = snapshot();
        if (changedTables(before, now, passingTables).length === 0) return now;
        before = now;
      }
      return null;
    },
    grant(email, role) {
      const known = all(
        `select name from pragma_table_info('account') where name in ('id', 'email') union all
         select name from pragma_table_info('account_role') where name in ('account_id', 'role', 'granted_at')`,
      );
      // Another site may keep its roles in another way.
      if (known.length < 5) return false;
      const writer = new Libsql(file);
      try {
        writer.exec('PRAGMA busy_timeout = 5000');
        writer
          .prepare(
            `insert into account_role (account_id, role, granted_at)
             select id, ?, ? from account where email = ? on conflict do nothing`,
          )
          .run(role, new Date().toISOString(), email);
      } finally {
        writer.close();
      }
      return true;
    },
    lock() {
      const holder = new Libsql(file);
      holder.exec('PRAGMA busy_timeout = 5000');
      holder.exec('BEGIN IMMEDIATE');
      return () => {
        holder.exec('ROLLBACK');
        holder.close();
      };
    },
    close: () => database.close(),
  };
}

/** The tables whose rows differ, except `passing` ones. */
export function changedTables(
  before: Snapshot,
  after: Snapshot,
  passing: readonly string[] = [],
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => !passing.includes(name) && !isSame(before.get(name) ?? [], after.get(name) ?? []),
  );
}

/** A person's rows: those that contain the person's mark, and those that refer to such a row by its id. */
export function rowsOf(snapshot: Snapshot, mark: string): Snapshot {
  const rows = [...snapshot].flatMap(([table, list]) => list.map((row) => ({ table, row })));
  const marked = new Set(rows.filter(({ row }) => marksIn(row).has(mark)));
  const known = new Set<string>();
  let own: typeof rows = [];
  for (;;) {
    const more = rows.filter(
      (item) => marked.has(item) || [...known].some((id) => item.row.includes(id)),
    );
    if (more.length === own.length) break;
    own = more;
    for (const { row } of own) {
      const { id } = JSON.parse(row) as { id?: unknown };
      // Short ids and numbers are ambiguous between tables.
      if (typeof id === 'string' && id.length >= shortestId) known.add(id);
    }
  }
  const tables = new Map<string, string[]>();
  for (const { table, row } of own) tables.set(table, [...(tables.get(table) ?? []), row]);
  return tables;
}

/** Characters. */
export const shortestId = 8;

function isSame(rows: readonly string[], others: readonly string[]): boolean {
  return rows.length === others.length && rows.every((row, index) => row === others[index]);
}

/** A row as JSON. */
export function textOf(row: Record<string, unknown>): string {
  return JSON.stringify(row, (_, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    return value instanceof ArrayBuffer ? Buffer.from(value).toString('latin1') : value;
  });
}

/** A name of a table or a column, in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The columns that identify a row by themselves. */
export function keysOf(table: string, query: Query): string[] {
  const unique = query('select name from pragma_index_list(?) where "unique"', [table])
    .map(({ name }) => query('select name from pragma_index_info(?)', [name]))
    .filter((columns) => columns.length === 1)
    .flat();
  return [...new Set(['id', ...unique.map(({ name }) => String(name))])];
}
