/**
 * Backs up a file store while it is in use, and restores it. Both end with the rename of a
 * complete, synced file, so that an interruption never leaves a partial file that looks complete.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import Libsql from 'libsql';
import { errorCode } from './file.ts';
import { storeFile } from './store.ts';

/** Why a backup or restore was rejected, in one sentence. */
class BackupError extends Error {
  override name = 'BackupError';
}

/**
 * `backup FILE` or `restore FILE`, for a file store: prints what it did, or why not.
 *
 * @param argv the command's arguments.
 * @param databaseUrl the setting; what it throws is reported if it is a `SettingError`.
 */
export async function runStoreCommand(argv: string[], databaseUrl: () => string): Promise<void> {
  try {
    process.stdout.write(`${await runCommand(argv, databaseUrl)}\n`);
  } catch (error) {
    const isReported =
      error instanceof BackupError || (error instanceof Error && error.name === 'SettingError');
    if (!isReported) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

async function runCommand(
  [command, file, ...rest]: string[],
  databaseUrl: () => string,
): Promise<string> {
  if ((command !== 'backup' && command !== 'restore') || file === undefined || rest.length > 0) {
    throw new BackupError('Usage: npm run store -- backup FILE, or npm run store -- restore FILE.');
  }
  const address = databaseUrl();
  if (!address.startsWith('file:')) {
    throw new BackupError('DATABASE_URL is a PostgreSQL database: use pg_dump and pg_restore.');
  }
  const store = storeFile(address);
  if (command === 'backup') {
    await backUp(store, file);
    return `Backed up ${store} to ${file}.`;
  }
  const replaced = await restore(store, file);
  return `Restored ${store} from ${file}.${replaced === undefined ? '' : ` The previous store was moved to ${replaced}.`}`;
}

/**
 * Copies the store as of one point in time. Sites can keep reading and writing.
 *
 * @throws {BackupError}
 */
async function backUp(store: string, copy: string): Promise<void> {
  if (!(await exists(store))) throw new BackupError(`There is no store at ${store}.`);
  if (await exists(copy)) throw new BackupError(`${copy} already exists.`);
  const partial = `${copy}.${randomUUID()}.partial`;
  try {
    const database = new Libsql(store);
    try {
      database.exec('PRAGMA busy_timeout = 10000');
      // Runs in a single read transaction, so later writes are not included.
      database.prepare('VACUUM INTO ?').run([partial]);
    } finally {
      database.close();
    }
    checkStore(partial);
    await sync(partial);
    await rename(partial, copy);
    await sync(path.dirname(copy));
  } finally {
    await rm(partial, { force: true });
  }
}

/**
 * Replaces the store with a copy. No site may have the store open.
 *
 * @returns the path that the previous store was moved to, if there was one.
 * @throws {BackupError}
 */
async function restore(store: string, copy: string): Promise<string | undefined> {
  if (!(await exists(copy))) throw new BackupError(`There is no file ${copy}.`);
  checkStore(copy);
  const partial = `${store}.${randomUUID()}.partial`;
  try {
    await copyFile(copy, partial, constants.COPYFILE_EXCL);
    await sync(partial);
    const replaced = await putAside(store);
    await rename(partial, store);
    await sync(path.dirname(store));
    return replaced;
  } finally {
    await rm(partial, { force: true });
  }
}

/** @throws {BackupError} if a site has it open. */
async function putAside(store: string): Promise<string | undefined> {
  const replaced = `${store}.replaced-${new Date().toISOString().replaceAll(':', '')}`;
  if (!(await exists(store))) {
    // Moved or deleted without its WAL.
    await putWalAside(store, replaced);
    return undefined;
  }
  const database = new Libsql(store);
  try {
    // Leaving WAL mode requires exclusive access, and checkpoints the WAL into the file.
    database.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (/BUSY|LOCKED/.test(errorCode(error) ?? '')) {
      throw new BackupError(`${store} is in use: stop the site first.`);
    }
    // The store is corrupt, which may be why it is replaced.
    await putWalAside(store, replaced);
  } finally {
    database.close();
  }
  await link(store, replaced);
  return replaced;
}

/** SQLite would apply a WAL that is left beside the path to the file that is put there. */
async function putWalAside(store: string, replaced: string): Promise<void> {
  for (const end of ['-wal', '-shm']) {
    if (await exists(store + end)) await rename(store + end, replaced + end);
  }
}

/** @throws {BackupError} */
function checkStore(file: string): void {
  const database = new Libsql(file);
  try {
    const rows = JSON.stringify(database.prepare('PRAGMA integrity_check').all([]));
    if (rows === '[{"integrity_check":"ok"}]') return;
  } catch {
    // Reported below.
  } finally {
    database.close();
  }
  throw new BackupError(`${file} is not a valid store.`);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Also syncs directories, which makes a rename durable. */
async function sync(file: string): Promise<void> {
  const handle = await open(file);
  try {
    await handle.sync();
  } catch (error) {
    // Windows cannot sync directories.
    if (process.platform !== 'win32') throw error;
  } finally {
    await handle.close();
  }
}
