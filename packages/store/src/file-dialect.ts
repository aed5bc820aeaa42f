/**
 * Kysely on a SQLite file with libsql. Reads and writes use separate connections: in WAL mode
 * readers never wait for a writer, so pages can be read while a transaction is open. Writes within
 * a process queue; writes of several processes contend for SQLite's lock.
 *
 * libsql never resets a statement that fails with SQLITE_BUSY. It stays active on its connection,
 * and SQLite then commits no later write on that connection, although libsql reports success. So
 * the lock is always acquired through `exec`, which finalises its statement, every write runs in a
 * transaction that holds the lock, and a read connection is replaced after it was busy.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
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
import { errorCode, openFile, type OpenFile } from './file.ts';
import { withUnavailable, type UnavailableReason } from './unavailable.ts';

export interface FileDialectOptions {
  /** Absolute path in an existing directory. */
  file: string;
  /** Milliseconds to wait for another process's write. */
  patience: number;
}

/** Milliseconds between attempts to lock. SQLite's own busy handler would block the event loop. */
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
  // A disk remounted read-only: the read connection is never written to.
  READONLY: 'unreachable',
};

class FileAdapter extends SqliteAdapter {
  /**
   * Makes the migrator run everything in one transaction. Beginning it takes SQLite's lock, so the
   * migrator needs none of its own.
   */
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
    const { file, patience } = this.#options;
    // Several processes may create the file at once.
    const writer = await patiently(patience, () => openFile(file, 'writer'));
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

  // Kysely's driver sends these as statements of the connection.
  savepoint: Savepoint = async (...call) => this.#handles?.writes.savepoint(...call);
  rollbackToSavepoint: Savepoint = async (...call) =>
    this.#handles?.writes.rollbackToSavepoint(...call);
  releaseSavepoint: Savepoint = async (...call) => this.#handles?.writes.releaseSavepoint(...call);

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

type Savepoint = NonNullable<Driver['savepoint']>;

interface FileHandles {
  file: string;
  patience: number;
  writer: OpenFile;
  /** Its connection lock queues this process's writes. */
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

  /**
   * Uses a separate connection: while a statement is open, its connection's snapshot would hide
   * newer writes from other reads.
   */
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
      // Locks up front: a transaction that upgrades from reading to writing fails if another
      // process wrote in between. The timeout includes the time in the queue; otherwise queued
      // writes could wait for minutes, one after another.
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
    // SQLite rolls back by itself when the disk is full.
    if (how === 'commit' || writer.isInTransaction()) writer.exec(how);
    return Promise.resolve();
  }

  async release(): Promise<void> {
    if (!this.#transaction) return;
    this.#transaction = undefined;
    await this.#handles.writes.releaseConnection();
  }
}

/** Whether a query can run on the read-only connection. */
function isRead({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || (RawNode.is(query) && /^\s*select\b/i.test(sql));
}

function ours(connection: DatabaseConnection): FileConnection {
  if (connection instanceof FileConnection) return connection;
  throw new TypeError('The connection is of another store.');
}

/** Retries while SQLite is busy, up to a deadline. */
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
