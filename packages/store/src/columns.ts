/**
 * The column types that differ between SQLite and PostgreSQL, so that one set of migrations runs on
 * both, and their values in TypeScript.
 *
 *     const { id, timestamp, flag } = columnsOf(db);
 *     await db.schema.createTable('thing').addColumn('created_at', timestamp, (column) => column.notNull())
 */
import { PostgresAdapter, sql, type ColumnType, type Kysely } from 'kysely';

/** The values of timestamps, flags and JSON differ by database: the functions below read either. */
export type Timestamp = ColumnType<Date | string, Date, Date>;
export type Flag = ColumnType<boolean | number, boolean, boolean>;

export type StoreKind = 'sqlite' | 'postgres';

/** Which database a Kysely instance uses. */
export function storeKind(db: Pick<Kysely<unknown>, 'getExecutor'>): StoreKind {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** Column types for a migration. */
export function columnsOf(db: Pick<Kysely<unknown>, 'getExecutor'>) {
  const isPostgres = storeKind(db) === 'postgres';
  return {
    /** A random UUID as text: `newId()`. */
    id: 'text',
    /** Millisecond precision. In SQLite, ISO 8601 in UTC, which sorts chronologically as text. */
    timestamp: isPostgres ? sql`timestamptz(3)` : 'text',
    flag: isPostgres ? 'boolean' : 'integer',
    /** Integers up to 2^53. */
    integer: isPostgres ? 'bigint' : 'integer',
    bytes: isPostgres ? 'bytea' : 'blob',
    /** JSON as text, which both databases store verbatim: `JSON.stringify` in, `JSON.parse` out. */
    json: 'text',
  } as const;
}

export function newId(): string {
  return crypto.randomUUID();
}

export function readTimestamp(value: Date | string): Date {
  return typeof value === 'string' ? new Date(value) : value;
}

export function readFlag(value: boolean | number): boolean {
  return Boolean(value);
}
