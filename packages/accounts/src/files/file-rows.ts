/**
 * A file as rows: its chunks, each written and deleted in a transaction of its own, so that no other writer waits for a
 * whole file, however large.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { newId, storeKind } from '@gatehouse/store';
import type { FileTables } from './migrations.ts';
import { FileRefused } from './refused.ts';

export const chunkBytes = 256 * 1024;

/** Chunks that one statement deletes. */
const chunksAtOnce = 16;

/** Milliseconds without a chunk after which an upload is lost. A process that was killed leaves one. */
const patience = 10 * 60_000;

type Db = Kysely<FileTables>;
type File = FileTables['account_file'];

/** What all files of an account may be together. */
export interface Room {
  bytes: number;
  files: number;
}

export type NewFile = Pick<File, 'account_id' | 'kind' | 'name' | 'type' | 'width' | 'height'>;

/** @throws {FileRefused} if the account has too many, or is deleted. */
export async function beginFile(db: Db, file: NewFile, room: Room): Promise<string> {
  const id = newId();
  const now = new Date();
  await db.transaction().execute(async (work) => {
    const { files } = await usedBy(work, file.account_id);
    if (files >= room.files) throw new FileRefused('too_many_files');
    const state = 'arriving' as const;
    const row = { ...file, id, state, size: 0, sha256: null, created_at: now, touched_at: now };
    await work.insertInto('account_file').values(row).execute();
  });
  return id;
}

export interface NewChunk {
  fileId: string;
  accountId: string;
  number: number;
  bytes: Uint8Array;
}

/** @throws {FileRefused} if it does not fit, or the file or its account was deleted meanwhile. */
export async function addChunk(db: Db, chunk: NewChunk, room: Room): Promise<void> {
  const { fileId, accountId, number, bytes } = chunk;
  await db.transaction().execute(async (work) => {
    const used = await usedBy(work, accountId);
    if (used.bytes + bytes.length > room.bytes) throw new FileRefused('storage_full');
    const { numUpdatedRows } = await work
      .updateTable('account_file')
      .set((row) => ({ size: row('size', '+', bytes.length), touched_at: new Date() }))
      .where('id', '=', fileId)
      .where('state', '=', 'arriving')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new FileRefused('file_gone');
    const row = { file_id: fileId, account_id: accountId, number, bytes };
    await work.insertInto('account_file_chunk').values(row).execute();
  });
}

/** Locks the account, so that of two uploads at once neither overlooks the other. */
async function usedBy(work: Transaction<FileTables>, accountId: string): Promise<Room> {
  const account = work.selectFrom('account').select('id').where('id', '=', accountId);
  // In SQLite the transaction has the only lock. In PostgreSQL this one lets rows refer to the account meanwhile.
  const locking = storeKind(work) === 'sqlite' ? account : account.forNoKeyUpdate();
  if (!(await locking.executeTakeFirst())) throw new FileRefused('account_gone');
  const { bytes, files } = await work
    .selectFrom('account_file')
    .select(({ fn }) => [fn.sum<string>('size').as('bytes'), fn.countAll().as('files')])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { bytes: Number(bytes), files: Number(files) };
}

/** @throws {FileRefused} if it was deleted meanwhile. */
export async function finishFile(db: Db, id: string, sha256: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('account_file')
    .set({ state: 'ready', sha256 })
    .where('id', '=', id)
    .where('state', '=', 'arriving')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new FileRefused('file_gone');
}

/** Hides the file, then deletes it. If that breaks off, {@link deleteAbandoned} continues it. */
export async function deleteFile(db: Db, id: string): Promise<void> {
  await db.updateTable('account_file').set({ state: 'gone' }).where('id', '=', id).execute();
  for (;;) {
    const some = db
      .selectFrom('account_file_chunk')
      .select('number')
      .where('file_id', '=', id)
      .limit(chunksAtOnce);
    const { numDeletedRows } = await db
      .deleteFrom('account_file_chunk')
      .where('file_id', '=', id)
      .where('number', 'in', some)
      .executeTakeFirst();
    if (numDeletedRows === 0n) break;
    await yieldToEventLoop();
  }
  await db.deleteFrom('account_file').where('id', '=', id).execute();
}

/** What uploads and deletions left that ended with their process, whoever's. */
export async function deleteAbandoned(db: Db): Promise<void> {
  const abandoned = await db
    .selectFrom('account_file')
    .select('id')
    .where('state', '<>', 'ready')
    .where('touched_at', '<', new Date(Date.now() - patience))
    .limit(20)
    .execute();
  for (const { id } of abandoned) await deleteFile(db, id);
}

/** Some bytes of a complete file, a chunk in memory at a time. @param end exclusive. */
export function readBytes(db: Db, id: string, start: number, end: number): ReadableStream {
  let at = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const number = Math.floor(at / chunkBytes);
        const from = number * chunkBytes;
        if (at < end) {
          const chunk = await db
            .selectFrom('account_file_chunk')
            .select('bytes')
            .where('file_id', '=', id)
            .where('number', '=', number)
            .executeTakeFirst();
          // Deleted meanwhile: breaks the response off.
          if (!chunk) throw new FileRefused('file_gone');
          controller.enqueue(chunk.bytes.subarray(at - from, end - from));
          at = from + chunkBytes;
        }
        if (at >= end) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
