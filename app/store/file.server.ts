/** One connection to a SQLite file by libsql, with the settings by which an acknowledged write is kept. */
import Libsql from 'libsql';
import type { SqliteDatabase } from 'kysely';

/** A connection, as Kysely's SQLite driver wants it. */
export interface OpenFile extends SqliteDatabase {
  /** Runs statements that have no parameters and no rows. */
  exec: (sql: string) => void;
  /** Whether SQLite has ended the transaction by itself, as it does when the disk is full. */
  isInTransaction: () => boolean;
}

/** Prepared statements that a connection keeps. libsql frees one only when JavaScript's garbage is collected. */
const mostStatements = 200;

/**
 * @param file path of a file that is made when it is not there; its folder must be.
 * @param role a `reader` can change nothing.
 */
export function openFile(file: string, role: 'reader' | 'writer'): OpenFile {
  const database = new Libsql(file);
  const statements = new Map<string, ReturnType<typeof database.prepare>>();
  // SQLite waits for a lock with the whole process, so it waits for moments only.
  database.exec('PRAGMA busy_timeout = 20');
  if (role === 'writer') {
    database.exec('PRAGMA journal_mode = WAL');
    // Each commit is on the disk before it is acknowledged: WAL's default loses the last ones with the power.
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

/** SQLite's code of an error, such as `SQLITE_BUSY`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // What opening throws has no code.
  return error.message.includes('Unable to open connection') ? 'SQLITE_CANTOPEN' : undefined;
}

/**
 * What SQLite can keep. libsql ends the whole process at a boolean, so nothing else is passed on.
 * @throws {TypeError} for what has no place in a column.
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
      'A column keeps text, numbers, booleans, dates and bytes; JSON is kept as text.',
    );
  });
}

/** libsql gives bytes as an `ArrayBuffer`, and PostgreSQL's client as a `Buffer`. */
function withBuffers(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row;
  for (const [name, value] of Object.entries(row)) {
    if (value instanceof ArrayBuffer) Object.assign(row, { [name]: Buffer.from(value) });
  }
  return row;
}
