/**
 * A copy of a file store, taken while it is written to, and a store put back from one. Both end in a rename of a file
 * that is complete and on the disk, so that what breaks off half way leaves nothing that looks whole.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import Libsql from 'libsql';
import { errorCode } from './file.server';

/** Why a backup or a restore was refused, in one sentence. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/**
 * Copies the store as it is at one moment. Sites go on reading and writing meanwhile.
 * @throws {BackupError}
 */
export async function backUp(store: string, copy: string): Promise<void> {
  if (!(await exists(store))) throw new BackupError(`There is no store at ${store}.`);
  if (await exists(copy)) throw new BackupError(`${copy} is there already.`);
  const partial = `${copy}.${randomUUID()}.partial`;
  try {
    const database = new Libsql(store);
    try {
      database.exec('PRAGMA busy_timeout = 10000');
      // One read transaction from the first page to the last: what is written meanwhile is not in it.
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
 * Puts a copy in the store's place. No site may have the store open.
 * @returns where the store that was there is kept, if there was one.
 * @throws {BackupError}
 */
export async function restore(store: string, copy: string): Promise<string | undefined> {
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

/** @throws {BackupError} where a site has it open. */
async function putAside(store: string): Promise<string | undefined> {
  if (!(await exists(store))) return undefined;
  const replaced = `${store}.replaced-${new Date().toISOString().replaceAll(':', '')}`;
  const database = new Libsql(store);
  try {
    // Leaving WAL mode needs the file for oneself, and writes what is in the log to the file.
    database.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (/BUSY|LOCKED/.test(errorCode(error) ?? '')) {
      throw new BackupError(`${store} is in use: stop the site first.`);
    }
    // It is broken, which may be why it is replaced. Its log would be taken for the new one's.
    for (const end of ['-wal', '-shm']) {
      if (await exists(store + end)) await rename(store + end, replaced + end);
    }
  } finally {
    database.close();
  }
  await link(store, replaced);
  return replaced;
}

/** @throws {BackupError} */
function checkStore(file: string): void {
  const database = new Libsql(file);
  try {
    const rows = JSON.stringify(database.prepare('PRAGMA integrity_check').all([]));
    if (rows === '[{"integrity_check":"ok"}]') return;
  } catch {
    // Told below.
  } finally {
    database.close();
  }
  throw new BackupError(`${file} is no sound store.`);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** A folder too: a rename is kept with it. */
async function sync(file: string): Promise<void> {
  const handle = await open(file);
  try {
    await handle.sync();
  } catch (error) {
    // Windows syncs no folder.
    if (process.platform !== 'win32') throw error;
  } finally {
    await handle.close();
  }
}
