/** Runs pending migrations at startup, all or nothing. */
import { Migrator, type Kysely, type Migration } from 'kysely';
import { StoreStartError } from './start-error.ts';
import { StoreUnavailable } from './unavailable.ts';

/** By name. Names sort chronologically, such as `2026_11_01_accounts`. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * The migrations of all products.
 *
 * @throws {Error} if two have the same name: one of them would never run.
 */
export function joinMigrations(products: Readonly<Record<string, Migrations>>): Migrations {
  const joined = new Map<string, Migration>();
  for (const [product, migrations] of Object.entries(products)) {
    for (const [name, migration] of Object.entries(migrations)) {
      if (joined.has(name)) {
        throw new Error(`Two migrations are called ${name}, one of them of ${product}: rename it.`);
      }
      joined.set(name, migration);
    }
  }
  return Object.fromEntries(joined);
}

/**
 * Runs the pending migrations in one transaction, under a lock that concurrently starting processes
 * wait for.
 *
 * @throws {StoreStartError} naming the migration that failed. The store is then unchanged.
 * @throws {StoreUnavailable}
 */
export async function migrate(db: Kysely<unknown>, migrations: Migrations): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    // Products are independent: one may be added after newer migrations of another have run.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (error instanceof StoreUnavailable) throw error;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const words = error instanceof Error ? error.message : 'something was thrown';
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(words) ?? [];
  if (unknown !== undefined) {
    throw new StoreStartError(
      `The store has the migration ${unknown}, which this build does not know: a newer build, or one with another product, has opened it.`,
      error,
    );
  }
  throw new StoreStartError(
    `The migration ${failed ?? 'of the store'} failed, and the store is as it was before: ${words.replaceAll(/\s+/g, ' ').replace(/\.?$/, '.')}`,
    error,
  );
}
