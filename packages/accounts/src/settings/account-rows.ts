/**
 * The rows of an account in the tables of all products: those with a column `account_id`. They are
 * read and deleted in batches, because an account may have very many.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import { storeKind } from '@gatehouse/store';
import type { AccountsSite } from '../site.ts';
import type { AccountTables } from '../tables.ts';

/** Rows per statement. */
const rowsAtOnce = 500;

export type Row = Record<string, unknown>;

export const fileTable = 'account_file';

/**
 * The chunks of files. They are deleted first, because a file takes all of its chunks with it, and few at once. The export
 * lists the files; their bytes are downloads.
 */
export const chunkTable = 'account_file_chunk';
const chunksAtOnce = 16;

/** Tables of accounts themselves: credentials are hashes, and sessions have a list of their own. */
const ownTables = ['account_session', 'account_credential'];

/** The names of the products' tables that have rows of accounts. */
export async function productTables(site: AccountsSite): Promise<string[]> {
  const tables = await site.store<AccountTables>().introspection.getTables();
  const own = await currentSchema(site);
  // Skips views, which would export rows twice, and tables of other schemas.
  return tables
    .filter(({ isView, schema }) => !isView && schema === own)
    .filter(({ name, columns }) => !ownTables.includes(name) && columns.some(isOfAccount))
    .map(({ name }) => name)
    .sort((one, other) => Number(other === chunkTable) - Number(one === chunkTable));
}

/** SQLite has no schemas. */
async function currentSchema(site: AccountsSite): Promise<string | undefined> {
  if (storeKind(site.store()) === 'sqlite') return undefined;
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(
    site.store(),
  );
  return rows[0]?.name;
}

function isOfAccount({ name }: { name: string }): boolean {
  return name === 'account_id';
}

/** An account's rows of a table in pages, in the order of its primary key. */
export async function* pagesOfRows(
  site: AccountsSite,
  table: string,
  accountId: string,
): AsyncGenerator<Row[]> {
  const key = await primaryKeyOf(site, table);
  let after: unknown[] | undefined;
  for (;;) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where account_id = ${accountId}
      ${after ? sql`and ${tuple(key.map((name) => sql.ref(name)))} > ${tuple(after.map((value) => sql`${value}`))}` : sql``}
      ${key.length > 0 ? sql`order by ${sql.join(key.map((name) => sql.ref(name)))} limit ${rowsAtOnce}` : sql``}
    `.execute(site.store());
    yield rows;
    const last = rows.at(-1);
    if (!last || key.length === 0 || rows.length < rowsAtOnce) return;
    after = key.map((name) => last[name]);
    await yieldToEventLoop();
  }
}

function tuple(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`(${sql.join(parts)})`;
}

/** The columns of a table's primary key. Empty if it has none: its rows are one page. */
async function primaryKeyOf(site: AccountsSite, table: string): Promise<string[]> {
  const columns =
    storeKind(site.store()) === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info(${table}) where pk > 0 order by pk`
      : sql<{ name: string }>`
          select attname as name
          from pg_index
          cross join unnest(indkey) with ordinality as key (number, place)
          join pg_attribute on attrelid = indrelid and attnum = key.number
          where indrelid = to_regclass(quote_ident(${table})) and indisprimary
          order by key.place`;
  const { rows } = await columns.execute(site.store());
  return rows.map(({ name }) => name);
}

/** Deletes an account's rows of a table, without a long transaction. */
export async function deleteRows(
  site: AccountsSite,
  table: string,
  accountId: string,
): Promise<void> {
  const name = sql.table(table);
  const limit = table === chunkTable ? chunksAtOnce : rowsAtOnce;
  const batchOf = (place: RawBuilder<unknown>) =>
    sql`select ${place} from ${name} where account_id = ${accountId} limit ${limit}`;
  const isInBatch =
    storeKind(site.store()) === 'sqlite'
      ? sql`rowid in (${batchOf(sql`rowid`)})`
      : // With `in`, PostgreSQL may scan the table for each batch.
        sql`ctid = any (array(${batchOf(sql`ctid`)}))`;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from ${name} where ${isInBatch}`.execute(
      site.store(),
    );
    if (numAffectedRows === 0n) return;
    await yieldToEventLoop();
  }
}
