/**
 * Kysely on a SQLite file by libsql. Reads and writes have a connection each: in WAL mode a reader never waits for a
 * writer, so pages are read while a transaction is open. Writes of one process queue; those of several processes
 * contend for SQLite's lock.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  CompiledQuery,
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
  #writer: OpenFile | undefined;
  #writes: SqliteDriver | undefined;
  #reads: SqliteDriver | undefined;

  constructor(options: FileDialectOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    const { file, patience, maxPages } = this.#options;
    // Several processes may make the file at once.
    const writer = await patiently(patience, () => openFile(file, 'writer'));
    if (maxPages !== undefined) writer.exec(`PRAGMA max_page_count = ${maxPages}`);
    const reader = await patiently(patience, () => openFile(file, 'reader'));
    this.#writer = writer;
    this.#writes = new SqliteDriver({ database: writer });
    this.#reads = new SqliteDriver({ database: reader });
    await this.#writes.init();
    await this.#reads.init();
  }

  acquireConnection(): Promise<DatabaseConnection> {
    const { file, patience } = this.#options;
    if (!this.#writer || !this.#writes || !this.#reads) throw new Error('The store is closed.');
    return Promise.resolve(
      new FileConnection({
        writer: this.#writer,
        writes: this.#writes,
        reads: this.#reads,
        patience,
        openReader: () => openFile(file, 'reader'),
      }),
    );
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
    await this.#reads?.destroy();
    await this.#writes?.destroy();
    this.#writer = this.#writes = this.#reads = undefined;
  }
}

interface FileHandles {
  writer: OpenFile;
  writes: SqliteDriver;
  reads: SqliteDriver;
  patience: number;
  openReader: () => OpenFile;
}

class FileConnection implements DatabaseConnection {
  readonly #handles: FileHandles;
  #transaction: DatabaseConnection | undefined;

  constructor(handles: FileHandles) {
    this.#handles = handles;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#transaction) return this.#transaction.executeQuery<Row>(query);
    const { reads, writes, patience } = this.#handles;
    const driver = SelectQueryNode.is(query.query) ? reads : writes;
    const connection = await driver.acquireConnection();
    try {
      // A statement that SQLite calls busy has changed nothing.
      return await patiently(patience, () => connection.executeQuery<Row>(query));
    } finally {
      await driver.releaseConnection();
    }
  }

  /** From a connection of its own: one that is being read shows the other reads nothing newer. */
  async *streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    if (this.#transaction) throw new Error('A transaction cannot stream: read pages of rows.');
    const driver = new SqliteDriver({ database: this.#handles.openReader() });
    await driver.init();
    try {
      const connection = await driver.acquireConnection();
      yield* connection.streamQuery<Row>(query, chunkSize);
    } finally {
      await driver.destroy();
    }
  }

  async begin(): Promise<void> {
    const { writes, patience } = this.#handles;
    const connection = await writes.acquireConnection();
    try {
      // A transaction that first reads and then writes could otherwise fail half way, when another process wrote.
      await patiently(patience, () =>
        connection.executeQuery(CompiledQuery.raw('begin immediate')),
      );
      this.#transaction = connection;
    } catch (error) {
      await writes.releaseConnection();
      throw error;
    }
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    // A full disk makes SQLite roll back by itself.
    const isOver = !this.#handles.writer.isInTransaction();
    if (how === 'rollback' && isOver) return;
    await this.#transaction?.executeQuery(CompiledQuery.raw(how));
  }

  async release(): Promise<void> {
    if (!this.#transaction) return;
    this.#transaction = undefined;
    await this.#handles.writes.releaseConnection();
  }
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
      const isBusy = /^SQLITE_(BUSY|LOCKED)/.test(errorCode(error) ?? '');
      if (!isBusy || performance.now() > end) throw error;
    }
    await pause(retryAfter);
  }
}
