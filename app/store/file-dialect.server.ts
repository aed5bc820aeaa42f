/**
 * Kysely on a SQLite file by libsql. Reads and writes have a connection each: in WAL mode a reader never waits for a
 * writer, so pages are read while a transaction is open. Writes of one process queue; those of several processes
 * contend for SQLite's lock.
 *
 * libsql never resets a statement that SQLite calls busy. It stays active on its connection, and SQLite then commits
 * no later write of that connection, although libsql reports it as done. So the lock is always taken by `exec`, which
 * ends its statement, every write runs in a transaction that holds it, and a reader that was busy is replaced.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  CompiledQuery,
  RawNode,
  SelectQueryNode,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { errorCode, openFile, type OpenFile } from './file.server';
import { withUnavailable, type UnavailableReason } from './unavailable.server';

export interface FileDialectOptions {
  /** Absolute path of a file in an existing folder. */
  file: string;
  /** Milliseconds that a write waits for another process's. */
  patience: number;
  /** For tests: `max_page_count` of SQLite, by which a disk can be full. */
  maxPages?: number;
}

/** Milliseconds between tries for SQLite's lock. SQLite itself would wait with the whole process. */
const retryAfter = 10;

export function fileDialect(options: FileDialectOptions): Dialect {
  const dialect: Dialect = {
    createAdapter: () => new FileAdapter(),
    createDriver: () => new FileDriver(options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  return withUnavailable(dialect, (error) => {
    const [, code = ''] = /^SQLITE_([A-Z]+)/.exec(errorCode(error) ?? '') ?? [];
    return reasons[code];
  });
}

const reasons: Readonly<Partial<Record<string, UnavailableReason>>> = {
  BUSY: 'locked',
  LOCKED: 'locked',
  FULL: 'full',
  IOERR: 'unreachable',
  CANTOPEN: 'unreachable',
  // The disk, remounted: the reader's connection is never written to.
  READONLY: 'unreachable',
};

class FileAdapter extends SqliteAdapter {
  /** The migrator then runs all in one transaction. Beginning it takes SQLite's lock, so it is the migrator's too. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class FileDriver implements Driver {
  readonly #options: FileDialectOptions;
  #handles: FileHandles | undefined;

  constructor(options: FileDialectOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    const { file, patience, maxPages } = this.#options;
    // Several processes may make the file at once.
    const writer = await patiently(patience, () => openFile(file, 'writer'));
    if (maxPages !== undefined) writer.exec(`PRAGMA max_page_count = ${maxPages}`);
    const writes = new SqliteDriver({ database: writer });
    await writes.init();
    this.#handles = { file, patience, writer, writes, reads: await openReads(file, patience) };
  }

  acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#handles) throw new Error('The store is closed.');
    return Promise.resolve(new FileConnection(this.#handles));
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return ours(connection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return ours(connection).end('commit');
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return ours(connection).end('rollback');
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await ours(connection).executeQuery(CompiledQuery.raw(`savepoint ${quoted(name)}`));
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await ours(connection).executeQuery(CompiledQuery.raw(`rollback to ${quoted(name)}`));
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await ours(connection).executeQuery(CompiledQuery.raw(`release ${quoted(name)}`));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await ours(connection).release();
  }

  async destroy(): Promise<void> {
    const handles = this.#handles;
    this.#handles = undefined;
    await handles?.reads.destroy();
    await handles?.writes.destroy();
  }
}

interface FileHandles {
  file: string;
  patience: number;
  writer: OpenFile;
  /** Its lock is the queue of this process's writes. */
  writes: SqliteDriver;
  reads: SqliteDriver;
}

async function openReads(file: string, patience: number): Promise<SqliteDriver> {
  const database = await patiently(patience, () => openFile(file, 'reader'));
  const driver = new SqliteDriver({ database });
  await driver.init();
  return driver;
}

class FileConnection implements DatabaseConnection {
  readonly #handles: FileHandles;
  #transaction: DatabaseConnection | undefined;

  constructor(handles: FileHandles) {
    this.#handles = handles;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction) return this.#transaction.executeQuery<Row>(query);
    return isRead(query) ? this.#read(query) : this.#write(query);
  }

  async #read<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { file, patience } = this.#handles;
    return patiently(patience, async () => {
      const { reads } = this.#handles;
      const connection = await reads.acquireConnection();
      try {
        return await connection.executeQuery<Row>(query);
      } catch (error) {
        if (isBusy(error) && this.#handles.reads === reads) {
          this.#handles.reads = await openReads(file, patience);
          await reads.destroy();
        }
        throw error;
      } finally {
        await reads.releaseConnection();
      }
    });
  }

  async #write<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.begin();
    try {
      const result = await this.executeQuery<Row>(query);
      await this.end('commit');
      return result;
    } catch (error) {
      await this.end('rollback');
      throw error;
    } finally {
      await this.release();
    }
  }

  /** From a connection of its own: one that is being read shows the other reads nothing newer. */
  async *streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    if (this.#transaction) throw new Error('A transaction cannot stream: read pages of rows.');
    const { file, patience } = this.#handles;
    const driver = await openReads(file, patience);
    try {
      const connection = await driver.acquireConnection();
      yield* connection.streamQuery<Row>(query, chunkSize);
    } finally {
      await driver.destroy();
    }
  }

  async begin(): Promise<void> {
    const { writer, writes, patience } = this.#handles;
    const end = performance.now() + patience;
    const connection = await writes.acquireConnection();
    try {
      // A transaction that first reads and then writes could otherwise fail half way, when another process wrote. Those
      // that queued meanwhile have waited as long: one after another they would wait for minutes.
      await patiently(end - performance.now(), () => {
        writer.exec('BEGIN IMMEDIATE');
      });
      this.#transaction = connection;
    } catch (error) {
      await writes.releaseConnection();
      throw error;
    }
  }

  end(how: 'commit' | 'rollback'): Promise<void> {
    const { writer } = this.#handles;
    // A full disk makes SQLite roll back by itself.
    if (how === 'commit' || writer.isInTransaction()) writer.exec(how);
    return Promise.resolve();
  }

  async release(): Promise<void> {
    if (!this.#transaction) return;
    this.#transaction = undefined;
    await this.#handles.writes.releaseConnection();
  }
}

/** What SQLite's read-only connection can run. */
function isRead({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || (RawNode.is(query) && /^\s*select\b/i.test(sql));
}

function ours(connection: DatabaseConnection): FileConnection {
  if (connection instanceof FileConnection) return connection;
  throw new TypeError('The connection is of another store.');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Does what SQLite may be too busy for, again and again for a while. */
async function patiently<Result>(
  milliseconds: number,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const end = performance.now() + milliseconds;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await pause(retryAfter);
  }
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(errorCode(error) ?? '');
}
