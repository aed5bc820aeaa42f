/** `docs/recipes/accounts/webhook-once.md` on both databases: replayed, reordered and failing events. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql, type Kysely } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { defineStore, readTimestamp, type Migrations } from '@gatehouse/store';
import { openEmptyStore } from '@gatehouse/store/testing/empty-store';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';
import { files, root } from './site-recipes';

interface Tables {
  firing_event: { id: string; received_at: Date };
  firing: { piece: string; state: string; happened_at: Date };
}

interface Call {
  id: string;
  type: string;
  piece: string;
  happened_at: number;
}

type RecordCall = (db: Kysely<Tables>, call: Call) => Promise<boolean>;

await mkdir(path.join(root, '.cache'), { recursive: true });
// Inside the repository, so that its imports resolve.
const folder = await mkdtemp(path.join(root, '.cache/webhook-once-'));
afterAll(() => rm(folder, { recursive: true }));
for (const { recipe, title = '', code } of files) {
  if (recipe === 'accounts/webhook-once.md')
    await writeFile(path.join(folder, path.basename(title)), code);
}
const load = async (name: string) =>
  (await import(/* @vite-ignore */ path.join(folder, name))) as unknown;
const { firingMigrations } = (await load('migrations.server.ts')) as {
  firingMigrations: Migrations;
};
const { recordCall } = (await load('record-call.server.ts')) as { recordCall: RecordCall };

function suite(address?: () => Promise<string>): void {
  const site = defineStore({ url: () => '', migrations: firingMigrations });
  openEmptyStore(site, address);
  const db = () => site.store<Tables>();

  const call = (fields: Partial<Call>): Call => ({
    id: crypto.randomUUID(),
    type: 'firing.done',
    piece: crypto.randomUUID(),
    happened_at: 1_800_000_000_000,
    ...fields,
  });
  const stateOf = async (piece: string) => {
    const row = db().selectFrom('firing').selectAll().where('piece', '=', piece);
    const found = await row.executeTakeFirst();
    return found && [found.state, readTimestamp(found.happened_at).getTime()];
  };

  test('of many calls of one event at once, one takes effect', async () => {
    const event = call({});
    const all = await Promise.all(Array.from({ length: 8 }, () => recordCall(db(), event)));
    expect(all.filter(Boolean)).toHaveLength(1);
    expect(await recordCall(db(), { ...event, type: 'firing.failed' })).toBe(false);
    expect(await stateOf(event.piece)).toEqual(['done', event.happened_at]);
  });

  test('an event that arrives after a later one changes nothing', async () => {
    const first = call({ type: 'firing.failed' });
    const later = call({ piece: first.piece, happened_at: first.happened_at + 1 });
    expect([await recordCall(db(), later), await recordCall(db(), first)]).toEqual([true, true]);
    expect(await stateOf(first.piece)).toEqual(['done', later.happened_at]);
  });

  test('an event whose effect fails is not taken for known when it comes again', async () => {
    const event = call({});
    // Then the second statement of the transaction fails.
    await sql`alter table firing rename to firing_elsewhere`.execute(db());
    await expect(recordCall(db(), event)).rejects.toThrow('firing');
    await sql`alter table firing_elsewhere rename to firing`.execute(db());
    expect(await recordCall(db(), event)).toBe(true);
    expect(await stateOf(event.piece)).toEqual(['done', event.happened_at]);
  });

  test.each(['glaze.mixed', '', 'constructor'])(
    'the unknown type %j changes nothing',
    async (type) => {
      const event = call({ type });
      expect(await recordCall(db(), event)).toBe(false);
      expect(await stateOf(event.piece)).toBeUndefined();
      expect(await recordCall(db(), { ...event, type: 'firing.done' })).toBe(true);
    },
  );
}

describe('with a file', () => {
  suite();
});

describe.skipIf(!hasPostgres)('with PostgreSQL', async () => {
  if (!hasPostgres) return;
  const databases = await postgresDatabases();
  afterAll(() => databases.stop());
  suite(() => databases.newDatabase());
});
