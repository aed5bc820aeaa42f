/**
 * The error of a store that is temporarily unavailable, the same for both databases and without
 * their messages.
 */
import type { Dialect, Driver, DatabaseConnection, CompiledQuery, QueryResult } from 'kysely';

/** Why the store is unavailable, as far as the log may say. */
export type UnavailableReason = 'locked' | 'full' | 'unreachable' | 'timeout';

const sentences: Readonly<Record<UnavailableReason, string>> = {
  locked: 'The store is locked by another process.',
  full: 'The store’s disk is full.',
  unreachable: 'The store cannot be reached.',
  timeout: 'The store timed out.',
};

/**
 * The store is temporarily unavailable, through no fault of the request: a route answers 503, and
 * the request may be retried. The database's own error is the `cause`, for the log only. If the
 * connection was lost during a commit, the write may have been saved.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, cause: unknown) {
    super(sentences[reason], { cause });
    this.reason = reason;
  }
}

/**
 * Whether an error means that the store is unavailable. Libraries may wrap the store's error as a
 * cause.
 */
export function isStoreUnavailable(error: unknown): boolean {
  return unavailableIn(error) !== undefined;
}

/** The store's error within an error's chain of causes. */
export function unavailableIn(error: unknown): StoreUnavailable | undefined {
  // A chain of causes may end in itself.
  const seen = new Set<unknown>();
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause);
    if (cause instanceof StoreUnavailable) return cause;
  }
  return undefined;
}

/** The 503 for an unavailable store. Reveals nothing about the database. */
export function storeUnavailableResponse(): Response {
  return Response.json(
    { error: 'store_unavailable' },
    { status: 503, headers: { 'retry-after': '1', 'cache-control': 'no-store' } },
  );
}

/** Maps a database error to a reason if it is temporary; otherwise undefined. */
export type ReasonOf = (error: unknown) => UnavailableReason | undefined;

/** Wraps a dialect so that temporary errors are thrown as `StoreUnavailable`. */
export function withUnavailable(dialect: Dialect, reasonOf: ReasonOf): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => new TranslatingDriver(dialect.createDriver(), reasonOf),
  };
}

class TranslatingDriver implements Driver {
  constructor(
    private readonly driver: Driver,
    private readonly reasonOf: ReasonOf,
  ) {}

  init(): Promise<void> {
    return this.translated(() => this.driver.init());
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await this.translated(() => this.driver.acquireConnection());
    return new TranslatingConnection(connection, (work) => this.translated(work));
  }

  beginTransaction: Driver['beginTransaction'] = (connection, settings) =>
    this.translated(() => this.driver.beginTransaction(inner(connection), settings));

  commitTransaction: Driver['commitTransaction'] = (connection) =>
    this.translated(() => this.driver.commitTransaction(inner(connection)));

  rollbackTransaction: Driver['rollbackTransaction'] = async (connection) => {
    try {
      await this.driver.rollbackTransaction(inner(connection));
    } catch (error) {
      // The database rolls back on a lost connection. The error that lost it was already thrown.
      if (!this.reasonOf(error)) throw error;
    }
  };

  savepoint: NonNullable<Driver['savepoint']> = async (connection, ...rest) =>
    this.translated(async () => this.driver.savepoint?.(inner(connection), ...rest));

  rollbackToSavepoint: NonNullable<Driver['rollbackToSavepoint']> = async (connection, ...rest) =>
    this.translated(async () => this.driver.rollbackToSavepoint?.(inner(connection), ...rest));

  releaseSavepoint: NonNullable<Driver['releaseSavepoint']> = async (connection, ...rest) =>
    this.translated(async () => this.driver.releaseSavepoint?.(inner(connection), ...rest));

  releaseConnection: Driver['releaseConnection'] = (connection) =>
    this.driver.releaseConnection(inner(connection));

  destroy(): Promise<void> {
    return this.driver.destroy();
  }

  private async translated<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const reason = this.reasonOf(error);
      throw reason ? new StoreUnavailable(reason, error) : error;
    }
  }
}

type Translate = <Result>(work: () => Promise<Result>) => Promise<Result>;

class TranslatingConnection implements DatabaseConnection {
  constructor(
    readonly inner: DatabaseConnection,
    private readonly translated: Translate,
  ) {}

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.translated(() => this.inner.executeQuery<Row>(query));
  }

  async *streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    const chunks = this.inner.streamQuery<Row>(query, chunkSize);
    try {
      for (;;) {
        const chunk = await this.translated(() => chunks.next());
        if (chunk.done) return;
        yield chunk.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
}

function inner(connection: DatabaseConnection): DatabaseConnection {
  return connection instanceof TranslatingConnection ? connection.inner : connection;
}
