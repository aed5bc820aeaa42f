/** Files as a part of their account, and large ones, on both databases. */
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';
import { defineAccounts } from '../index.ts';
import { deleteRows, productTables } from '../settings/account-rows.ts';
import { exportAccount } from '../settings/export.ts';
import type { AccountsSite } from '../site.ts';
import { mebi, pictureOf, storeOfFiles, streamOf } from './testing/member-files.ts';
import type { FileTables } from './index.ts';

/** A picture of so many megabytes, of which one is in memory. */
function zeros(megabytes: number): ReadableStream<Uint8Array> {
  const piece = Buffer.alloc(mebi);
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(sent === 0 ? pictureOf(mebi) : piece);
        sent += 1;
        if (sent === megabytes) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Milliseconds that the slowest of many writes took, while something is done. */
async function longestWait(
  db: () => Kysely<FileTables>,
  account: string,
  done: Promise<unknown>,
  afterEach = (): void => undefined,
): Promise<number> {
  const state = { isDone: false };
  const settled = done.finally(() => (state.isDone = true));
  let longest = 0;
  while (!state.isDone) {
    const began = performance.now();
    await db().updateTable('account').set({ id: account }).where('id', '=', account).execute();
    longest = Math.max(longest, performance.now() - began);
    afterEach();
    // A file store answers at once.
    await setImmediate();
  }
  await settled;
  return longest;
}

function suite(address?: () => Promise<string>): void {
  const { store, db, define, member, left } = storeOfFiles(address);
  const files = define();
  const site = {
    store,
    log: console,
    settings: () => ({
      mode: 'test',
      siteOrigin: 'https://site.example',
      frameAncestors: [],
      authSecrets: ['a key of at least 32 characters, such as this'],
      smtpUrl: null,
      mailFrom: 'no-reply@site.example',
    }),
  } as unknown as AccountsSite;
  const { listSessions } = defineAccounts(site);

  test('an upload ends when its account is deleted, and nothing of it is left', async () => {
    const ada = await member();
    let pieces = 0;
    const bytes = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          pieces += 1;
          if (pieces === 4) {
            for (const table of await productTables(site)) await deleteRows(site, table, ada);
            await db().deleteFrom('account').where('id', '=', ada).execute();
          }
          controller.enqueue(pieces === 1 ? pictureOf(300_000) : Buffer.alloc(300_000));
        },
      },
      { highWaterMark: 0 },
    );
    await expect(files.keep(ada, { name: 'a', bytes })).rejects.toMatchObject({ status: 410 });
    expect(await left(ada)).toEqual([0, 0]);
  });

  test('the export lists complete files, with the address of their bytes', async () => {
    const ada = await member();
    const kept = await files.keep(ada, { name: 'a.png', bytes: streamOf(pictureOf(600_000)) });
    const now = new Date();
    const part = { account_id: ada, kind: 'file', name: 'b.png', type: 'image/png', size: 9 };
    const none = { width: null, height: null, sha256: null, created_at: now, touched_at: now };
    await db()
      .insertInto('account_file')
      .values({ id: `part of ${ada}`, state: 'arriving', ...part, ...none })
      .execute();
    expect(await listSessions(ada)).toEqual([]);
    const account = { id: ada } as Parameters<typeof exportAccount>[1];
    const filesIn = async (of: AccountsSite) => {
      const text = await new Response(await exportAccount(of, account)).text();
      const { data } = JSON.parse(text) as { data: Record<string, unknown> };
      expect(data).not.toHaveProperty('account_file_chunk');
      return data['account_file'];
    };
    const listed = { ...kept, sha256: expect.stringMatching(/^[\da-f]{64}$/) as string };
    expect(await filesIn(site)).toEqual([expect.objectContaining(listed)]);
    const fileAddress = ({ kind, id }: { kind: string; id: string }) => `/api/${kind}s/${id}`;
    expect(await filesIn({ ...site, fileAddress })).toEqual([
      expect.objectContaining({ address: `https://site.example/api/files/${kept.id}` }),
    ]);
  });

  test('deleting an account deletes its files a few chunks at a time, while another writer waits for moments only', async () => {
    const [ada, eve] = [await member(), await member()];
    const large = define({ maxBytes: 64 * mebi, room: { bytes: 64 * mebi, files: 10 } });
    await large.keep(ada, { name: 'clip', bytes: zeros(64) });
    expect(await left(ada)).toEqual([1, 256]);
    const isDeleted = (async () => {
      for (const table of await productTables(site)) await deleteRows(site, table, ada);
      await db().deleteFrom('account').where('id', '=', ada).execute();
    })();
    expect(await longestWait(db, eve, isDeleted)).toBeLessThan(2_000);
    expect(await left(ada)).toEqual([0, 0]);
  });

  test('200 MB arrive in bounded memory, while another writer waits for moments only', async () => {
    const [ada, eve] = [await member(), await member()];
    const large = define({ maxBytes: 200 * mebi, room: { bytes: 400 * mebi, files: 10 } });
    const bytes = zeros(200);
    const before = process.memoryUsage().rss;
    let peak = 0;
    const arriving = large.keep(ada, { name: 'clip', bytes });
    const longest = await longestWait(db, eve, arriving, () => {
      peak = Math.max(peak, process.memoryUsage().rss);
    });
    const { id, size } = await arriving;
    expect(size).toBe(200 * mebi);
    process.stdout.write(
      `200 MB: ${Math.round((peak - before) / mebi)} MB of memory, longest wait ${Math.round(longest)} ms\n`,
    );
    expect(peak - before).toBeLessThan(100 * mebi);
    expect(longest).toBeLessThan(2_000);
    expect(await large.remove(ada, id)).toBe(true);
  }, 120_000);
}

describe('on a file store', () => {
  suite();
});

describe.skipIf(!hasPostgres)('on PostgreSQL', async () => {
  if (!hasPostgres) return;
  const databases = await postgresDatabases();
  afterAll(() => databases.stop());
  suite(() => databases.newDatabase());
});
