/**
 * What the site keeps: one store a process, opened before the server listens. It names no product; each brings its
 * migrations (`app/migrations.server.ts`) and its own types of its tables:
 *
 *     const rows = await store<NotesTables>().selectFrom('note').selectAll().where('owner', '=', id).execute();
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Kysely, sql, type Dialect } from 'kysely';
import type { StoreKind } from './columns.server';
import { migrate, type Migrations } from './migrate.server';
import { StoreStartError } from './start-error.server';
import { StoreUnavailable } from './unavailable.server';

export interface StoreSettings {
  /** `DATABASE_URL`: `file:` and a path, or a PostgreSQL address. */
  url: string;
  migrations: Migrations;
  /** Told of what goes wrong while nobody waits for it. Such a message may name the database's host. */
  onProblem?: (problem: Error) => void;
  /** Milliseconds that a PostgreSQL server is given to be there at the start. */
  startPatience?: number;
  /** PostgreSQL connections of this process at most. */
  connections?: number;
  /** Milliseconds to wait for a connection, or for another process's write to a file. */
  patience?: number;
  /** Milliseconds for one statement on PostgreSQL. */
  statementTimeout?: number;
}

export interface Store {
  kind: StoreKind;
  db: Kysely<unknown>;
}

declare global {
  // Beside the modules: in development Vite loads them anew after an edit, and the store stays open.
  var siteStore: Store | undefined;
}

/**
 * Opens the process's store and brings its tables up to date.
 * @throws {StoreStartError} with one sentence, where it cannot be had.
 */
export async function openStore(settings: StoreSettings): Promise<Store> {
  if (globalThis.siteStore) throw new Error('The store is open already.');
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

/**
 * The process's store, for a loader or an action.
 * @throws {Error} where none is open: the site has no migrations, or a test has not opened one.
 */
export function store<Tables>(): Kysely<Tables> {
  if (!globalThis.siteStore) {
    throw new Error(
      'No store is open. The server opens it at the start where app/migrations.server.ts has migrations; a test calls openStore().',
    );
  }
  // Which tables there are is the caller's word, as it is with `new Kysely<Tables>()`.
  return globalThis.siteStore.db as Kysely<Tables>;
}

/** Waits for what is under way. To be called after the last request. */
export async function closeStore(): Promise<void> {
  const open = globalThis.siteStore;
  globalThis.siteStore = undefined;
  await open?.db.destroy();
}

/** The file that a `file:` address names. */
export function storeFile(url: string): string {
  return url.startsWith('file:///') ? fileURLToPath(url) : path.resolve(url.slice('file:'.length));
}

interface Dialects {
  /** Waits long: a migration may take its time, and another process's too. */
  migrating: () => Dialect;
  serving: () => Dialect;
}

const migrationPatience = 300_000;

// Each client is loaded where it is used: the file's is native code.

async function fileDialects({ url, patience = 5_000 }: StoreSettings): Promise<Dialects> {
  const file = storeFile(url);
  await mkdir(path.dirname(file), { recursive: true }).catch((error: unknown) => {
    throw refusedAtStart(url, error);
  });
  const { fileDialect } = await import('./file-dialect.server');
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
  const { postgresDialect } = await import('./postgres-dialect.server');
  const shared = { url, connectTimeout: patience, onProblem };
  return {
    migrating: () => postgresDialect({ ...shared, connections: 2, statementTimeout: 0 }),
    serving: () => postgresDialect({ ...shared, connections, statementTimeout }),
  };
}

/** Neither the address nor its password is told. */
function refusedAtStart(url: string, error: unknown): StoreStartError {
  const words = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : 'it failed';
  const where = url.startsWith('file:') ? `the file ${storeFile(url)}` : 'a database';
  return new StoreStartError(
    `DATABASE_URL names ${where} that cannot be opened: ${words.replace(/\.?$/, '.')}`,
    error,
  );
}
