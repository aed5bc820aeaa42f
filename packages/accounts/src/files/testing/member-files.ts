/** A store with members and their files, for the tests of a file. Its functions work once the tests run. */
import { defineStore, joinMigrations } from '@gatehouse/store';
import { openEmptyStore } from '@gatehouse/store/testing/empty-store';
import { defineFiles, fileMigrations, type FilesOptions, type FileTables } from '../index.ts';
import { accountMigrations } from '../../migrations.ts';

export const mebi = 1024 * 1024;

/** The header of a PNG. */
export function png(width = 1, height = 1): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000000000000008060000001f15c489',
    'hex',
  );
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** A picture's first bytes, then as many as are wanted. */
export function pictureOf(size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(size, 7);
  png().copy(bytes);
  return bytes;
}

export function streamOf(bytes: Uint8Array, piece = 64 * 1024): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, (at += piece)));
      if (at >= bytes.length) controller.close();
    },
  });
}

/** A request for a file. */
export function requestWith(headers: Record<string, string> = {}, method = 'GET'): Request {
  return new Request('https://site.example/api/files/1', { method, headers });
}

/** @param address of a store that is not a file. */
export function storeOfFiles(address?: () => Promise<string>) {
  const migrations = joinMigrations({ accounts: accountMigrations, files: fileMigrations });
  const siteStore = defineStore({ url: () => '', migrations });
  openEmptyStore(siteStore, address);
  const { store } = siteStore;
  const db = () => store<FileTables>();
  return {
    store,
    db,
    define: (options: Partial<FilesOptions> = {}) =>
      defineFiles({
        store,
        kind: 'file',
        extensions: new Map([['image/png', 'png']]),
        maxBytes: 4 * mebi,
        room: { bytes: 6 * mebi, files: 10 },
        ...options,
      }),
    /** @returns the id of a new account. */
    async member(): Promise<string> {
      const id = crypto.randomUUID();
      const now = new Date();
      const dates = { createdAt: now, updatedAt: now };
      const words = { name: 'Ada', email: `${id}@example.org`, emailVerified: true, image: null };
      await store<{ account: object }>()
        .insertInto('account')
        .values({ id, ...words, ...dates })
        .execute();
      return id;
    },
    /** How many rows an account has: of files, and of their chunks. */
    async left(accountId: string): Promise<number[]> {
      const of = (table: 'account_file' | 'account_file_chunk') =>
        db()
          .selectFrom(table as 'account_file')
          .select('account_id')
          .where('account_id', '=', accountId)
          .execute();
      return [(await of('account_file')).length, (await of('account_file_chunk')).length];
    },
  };
}
