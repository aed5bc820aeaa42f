/** `docs/recipes/accounts/between-members.md` on both databases: of two who compete, one wins. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { accountMigrations, type AccountTables } from '@gatehouse/accounts';
import { defineStore, joinMigrations, type Migrations } from '@gatehouse/store';
import { openEmptyStore } from '@gatehouse/store/testing/empty-store';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';
import { files, root } from './site-recipes';

interface Tables extends AccountTables {
  walk: { id: string; account_id: string; title: string; places: number };
  walk_guest: { id: string; account_id: string; walk_id: string };
}

type JoinWalk = (
  db: Kysely<Tables>,
  place: { accountId: string; walkId: string },
) => Promise<boolean>;

await mkdir(path.join(root, '.cache'), { recursive: true });
// Inside the repository, so that its imports resolve.
const folder = await mkdtemp(path.join(root, '.cache/between-members-'));
afterAll(() => rm(folder, { recursive: true }));
for (const { recipe, title = '', code } of files) {
  if (recipe === 'accounts/between-members.md')
    await writeFile(path.join(folder, path.basename(title)), code);
}
const load = async (name: string) =>
  (await import(/* @vite-ignore */ path.join(folder, name))) as unknown;
const { walkMigrations } = (await load('migrations.server.ts')) as { walkMigrations: Migrations };
const { joinWalk } = (await load('join.server.ts')) as { joinWalk: JoinWalk };

function suite(address?: () => Promise<string>): void {
  const migrations = joinMigrations({ accounts: accountMigrations, walks: walkMigrations });
  const site = defineStore({ url: () => '', migrations });
  openEmptyStore(site, address);

  async function walkOf(places: number, members: number) {
    const db = site.store<Tables>();
    const people = Array.from({ length: members + 1 }, () => crypto.randomUUID());
    const now = new Date();
    const dates = { createdAt: now, updatedAt: now };
    for (const id of people) {
      const words = { name: 'A', email: `${id}@example.org`, emailVerified: true, image: null };
      await db
        .insertInto('account')
        .values({ id, ...words, ...dates })
        .execute();
    }
    const [owner = '', ...guests] = people;
    const walkId = crypto.randomUUID();
    const walk = { id: walkId, account_id: owner, title: 'Up', places };
    await db.insertInto('walk').values(walk).execute();
    return { db, walkId, owner, guests };
  }

  test('of many who join at once, as many have a place as there are', async () => {
    const { db, walkId, guests } = await walkOf(3, 8);
    const joined = await Promise.all(
      guests.map((accountId) => joinWalk(db, { accountId, walkId })),
    );
    expect(joined.filter(Boolean)).toHaveLength(3);
    expect(await db.selectFrom('walk_guest').selectAll().execute()).toHaveLength(3);
  });

  test('whoever joins twice at once has one place, and a walk goes with its member', async () => {
    const { db, walkId, owner, guests } = await walkOf(2, 1);
    const [accountId = ''] = guests;
    const twice = [joinWalk(db, { accountId, walkId }), joinWalk(db, { accountId, walkId })];
    expect(await Promise.all(twice)).toEqual([true, true]);
    const places = db.selectFrom('walk_guest').selectAll().where('walk_id', '=', walkId);
    expect(await places.execute()).toHaveLength(1);
    await db.deleteFrom('account').where('id', '=', owner).execute();
    expect(await places.execute()).toEqual([]);
    expect(await joinWalk(db, { accountId, walkId })).toBe(false);
  });
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
