/**
 * A connection to a SQLite file with libsql, configured so that acknowledged writes are durable.
 */
import Libsql from 'libsql';
import type { SqliteDatabase } from 'kysely';

/** A connection with the interface of Kysely's SQLite driver. */
export interface OpenFile extends SqliteDatabase {
  /** Runs statements without parameters or rows. */
  exec: (sql: string) => void;
  /** False once SQLite has ended the transaction by itself, as it does when the disk is full. */
  isInTransaction: () => boolean;
}

/** Prepared statements to cache per connection. libsql frees one only on garbage collection. */
const mostStatements = 200;

/**
 * @param file created if missing; its directory must exist.
 * @param role a `reader` cannot change anything.
 */
export function openFile(file: string, role: 'reader' | 'writer'): OpenFile {
  const database = new Libsql(file);
  const statements = new Map<string, ReturnType<typeof database.prepare>>();
  // SQLite's wait for a lock blocks the event loop, so it is kept short.
  database.exec('PRAGMA busy_timeout = 20');
  if (role === 'writer') {
    database.exec('PRAGMA journal_mode = WAL');
    // Syncs each commit before it is acknowledged. WAL's default can lose the last commits on power
    // loss.
    database.exec('PRAGMA synchronous = FULL');
    database.exec('PRAGMA journal_size_limit = 67108864');
  } else {
    database.exec('PRAGMA query_only = ON');
  }
  database.exec('PRAGMA foreign_keys = ON');

  return {
    close: () => database.close(),
    exec: (sql) => void database.exec(sql),
    isInTransaction: () => database.inTransaction,
    prepare(sql) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = database.prepare(sql);
        const [oldest] = statements.keys();
        if (statements.size >= mostStatements && oldest !== undefined) statements.delete(oldest);
        statements.set(sql, statement);
      }
      const prepared = statement;
      return {
        reader: prepared.reader,
        all: (parameters) => prepared.all(...[bindable(parameters)]).map(withBuffers),
        run: (parameters) => prepared.run(...[bindable(parameters)]),
        iterate: function* (parameters) {
          for (const row of prepared.iterate(...[bindable(parameters)])) yield withBuffers(row);
        },
      };
    },
  };
}

/** SQLite's error code, such as `SQLITE_BUSY`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string' && error.code) return error.code;
  // Errors from opening a file have an empty code, or none.
  return error.message.includes('Unable to open connection') ? 'SQLITE_CANTOPEN' : undefined;
}

/**
 * Converts parameters to types that SQLite stores. Strict, because libsql aborts the process on a
 * boolean.
 *
 * @throws {TypeError} for a value that no column can store.
 */
function bindable(
  parameters: readonly unknown[],
): (string | number | bigint | Uint8Array | null)[] {
  return parameters.map((value) => {
    if (value === null || value === undefined) return null;
    if (typeof value === 'boolean') return value ? 1 : 0;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      return value;
    }
    if (value instanceof Uint8Array) return value;
    if (value instanceof Date) return value.toISOString();
    throw new TypeError(
      'A column stores text, numbers, booleans, dates and bytes; store JSON as text.',
    );
  });
}

/** libsql returns bytes as an `ArrayBuffer`; PostgreSQL's client returns a `Buffer`. */
function withBuffers(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row;
  for (const [name, value] of Object.entries(row)) {
    if (value instanceof ArrayBuffer) Object.assign(row, { [name]: Buffer.from(value) });
  }
  return row;
}
