/**
 * A site's store: one per process, opened before the server listens. It is independent of the
 * products, each of which brings its migrations and the types of its tables:
 *
 *     const rows = await store<NoteTables>().selectFrom('note').selectAll().where('account_id', '=', account.id).execute();
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Kysely, sql, type Dialect } from 'kysely';
import type { StoreKind } from './columns.ts';
import { migrate, type Migrations } from './migrate.ts';
import { StoreStartError } from './start-error.ts';
import { StoreUnavailable } from './unavailable.ts';

export interface StoreSettings {
  /** `DATABASE_URL`: `file:` and a path, or a PostgreSQL URL. */
  url: string;
  migrations: Migrations;
  /** Called for background errors. Their messages may contain the database's host. */
  onProblem?: (problem: Error) => void;
  /** Milliseconds to wait for a PostgreSQL server at startup. */
  startPatience?: number;
  /** Maximum PostgreSQL connections of this process. */
  connections?: number;
  /** Milliseconds to wait for a connection, or for another process's write to a file. */
  patience?: number;
  /** Milliseconds for one PostgreSQL statement. */
  statementTimeout?: number;
}

export interface StoreOptions extends Omit<StoreSettings, 'url'> {
  /** Called when the store is opened, so that a build loads the module without settings. */
  url: () => string;
}

export interface OpenStore {
  kind: StoreKind;
  db: Kysely<unknown>;
}

export interface SiteStore {
  /**
   * The process's store, for loaders and actions. The caller declares the tables, as with `new Kysely<Tables>()`.
   *
   * @throws {Error} if none is open: the site has no migrations, or a test has not opened one.
   */
  store: <Tables>() => Kysely<Tables>;
  /**
   * Opens the process's store and runs its migrations.
   *
   * @param others settings other than the site's own, for tests.
   * @throws {StoreStartError} with one sentence, if it cannot be opened.
   */
  openStore: (others?: Partial<StoreSettings>) => Promise<OpenStore>;
  /** Waits for running queries. Call it after the last request. */
  closeStore: () => Promise<void>;
}

declare global {
  // Global rather than module state: in development Vite reloads modules, and the store stays open.
  var siteStore: OpenStore | undefined;
}

/** The site's one store: call it once, at the top of a module. One per process: what is defined again shares the open store. */
export function defineStore({ url, ...options }: StoreOptions): SiteStore {
  return {
    store<Tables>() {
      if (!globalThis.siteStore) {
        throw new Error(
          'No store is open. The server opens it at startup if the site has migrations; a test must call openStore().',
        );
      }
      return globalThis.siteStore.db as Kysely<Tables>;
    },
    openStore: (others = {}) => open({ ...options, ...others, url: others.url ?? url() }),
    async closeStore() {
      const opened = globalThis.siteStore;
      globalThis.siteStore = undefined;
      await opened?.db.destroy();
    },
  };
}

async function open(settings: StoreSettings): Promise<OpenStore> {
  if (globalThis.siteStore) throw new Error('The store is already open.');
  const { url, migrations, startPatience = 30_000, onProblem = () => undefined } = settings;
  const kind = url.startsWith('file:') ? 'sqlite' : 'postgres';
  const dialects =
    kind === 'sqlite' ? await fileDialects(settings) : await postgresDialects(settings, onProblem);

  const end = performance.now() + (kind === 'sqlite' ? 0 : startPatience);
  for (;;) {
    const migrating = new Kysely<unknown>({ dialect: dialects.migrating() });
    try {
      await sql`select 1`.execute(migrating);
      await migrate(migrating, migrations);
      break;
    } catch (error) {
      if (error instanceof StoreStartError) throw error;
      if (!(error instanceof StoreUnavailable)) throw refusedAtStart(url, error);
      if (performance.now() > end) throw refusedAtStart(url, error.cause);
      onProblem(error);
    } finally {
      await migrating.destroy();
    }
    await pause(Math.min(1_000, startPatience));
  }

  globalThis.siteStore = { kind, db: new Kysely<unknown>({ dialect: dialects.serving() }) };
  return globalThis.siteStore;
}

/** The path in a `file:` URL. */
export function storeFile(url: string): string {
  return url.startsWith('file:///') ? fileURLToPath(url) : path.resolve(url.slice('file:'.length));
}

interface Dialects {
  /** With long timeouts, for migrations that take a while, here or in another process. */
  migrating: () => Dialect;
  serving: () => Dialect;
}

const migrationPatience = 300_000;

// Clients are imported on demand: the file store's is native code.

async function fileDialects({ url, patience = 5_000 }: StoreSettings): Promise<Dialects> {
  const file = storeFile(url);
  await mkdir(path.dirname(file), { recursive: true }).catch((error: unknown) => {
    throw refusedAtStart(url, error);
  });
  const { fileDialect } = await import('./file-dialect.ts');
  return {
    migrating: () => fileDialect({ file, patience: migrationPatience }),
    serving: () => fileDialect({ file, patience }),
  };
}

async function postgresDialects(
  settings: StoreSettings,
  onProblem: (problem: Error) => void,
): Promise<Dialects> {
  const { url, connections = 10, patience = 5_000, statementTimeout = 10_000 } = settings;
  const { postgresDialect } = await import('./postgres-dialect.ts');
  const shared = { url, connectTimeout: patience, onProblem };
  return {
    migrating: () => postgresDialect({ ...shared, connections: 2, statementTimeout: 0 }),
    serving: () => postgresDialect({ ...shared, connections, statementTimeout }),
  };
}

/** The message contains neither the URL nor its password. */
function refusedAtStart(url: string, error: unknown): StoreStartError {
  const words = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : 'it failed';
  const where = url.startsWith('file:') ? `the file ${storeFile(url)}` : 'a database';
  return new StoreStartError(
    `DATABASE_URL names ${where} that cannot be opened: ${words.replace(/\.?$/, '.')}`,
    error,
  );
}
