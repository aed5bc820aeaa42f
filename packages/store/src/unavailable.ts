/**
 * The error of a store that is temporarily unavailable, the same for both databases and without
 * their messages.
 */
import type { Dialect, Driver, DatabaseConnection } from 'kysely';

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
    createDriver: () => translatingDriver(dialect.createDriver(), reasonOf),
  };
}

/** Replaces methods of the driver and, as Kysely's own logging does, of its connections. */
function translatingDriver(driver: Driver, reasonOf: ReasonOf): Driver {
  const translated =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        return await work(...given);
      } catch (error) {
        const reason = reasonOf(error);
        throw reason ? new StoreUnavailable(reason, error) : error;
      }
    };

  const acquire = translated(driver.acquireConnection.bind(driver));
  const rollback = driver.rollbackTransaction.bind(driver);
  const seen = new WeakSet<DatabaseConnection>();
  return Object.assign(driver, {
    init: translated(driver.init.bind(driver)),
    async acquireConnection() {
      const connection = await acquire();
      if (seen.has(connection)) return connection;
      seen.add(connection);
      const stream = connection.streamQuery.bind(connection);
      return Object.assign(connection, {
        executeQuery: translated(connection.executeQuery.bind(connection)),
        async *streamQuery(...given: Parameters<typeof stream>) {
          const chunks = stream(...given);
          const next = translated(() => chunks.next());
          try {
            for (let chunk = await next(); !chunk.done; chunk = await next()) yield chunk.value;
          } finally {
            await chunks.return?.();
          }
        },
      });
    },
    beginTransaction: translated(driver.beginTransaction.bind(driver)),
    commitTransaction: translated(driver.commitTransaction.bind(driver)),
    async rollbackTransaction(connection) {
      try {
        await rollback(connection);
      } catch (error) {
        // The database rolls back on a lost connection. The error that lost it was already thrown.
        if (!(error instanceof StoreUnavailable || reasonOf(error))) throw error;
      }
    },
  } satisfies Partial<Driver>);
}
