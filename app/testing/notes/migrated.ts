/** A store that an earlier version wrote, for either database. */
import { sql, type Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { accountMigrations } from '@gatehouse/accounts';
import { noteMigrations } from '~/notes/migrations.server';
import { listNotes } from '~/notes/stored/list.server';
import { addNote, restoreNote, saveNote } from '~/notes/stored/note.server';
import type { NoteTables } from '~/notes/tables.server';
import { closeStore, migrations, openStore, store } from '~/store.server';

const owner = 'ada';
const now = new Date('2026-11-24T01:02:03.456Z');

/** @param address returns the `DATABASE_URL` of an empty store. */
export function migratedNotes(address: () => Promise<string>): void {
  test('tags that an earlier version told apart, although they look alike, are one, and symbols are found', async () => {
    const url = await address();
    const { '2026_11_28_note_words': last, ...before } = migrations;
    expect(last).toBeDefined();
    const { db } = await openStore({ url, migrations: before });
    await writeOld(db as Kysely<NoteTables>, ['work', 'wo\u200Brk', '\u2060']);
    await closeStore();

    await openStore({ url });
    try {
      const { notes } = await listNotes(owner, { query: '', tag: 'work', cursor: null });
      expect(notes).toEqual([expect.objectContaining({ title: 'Tagged', tags: ['work'] })]);
      const found = await listNotes(owner, { query: '→', tag: '', cursor: null });
      expect(found.notes.map(({ title }) => title)).toEqual(['→']);
    } finally {
      await closeStore();
    }
  });

  test('notes from before the search text was computed anew are found by it, also those that are restored', async () => {
    const url = await address();
    const first = '2026_11_20_notes';
    const before = { ...accountMigrations, [first]: noteMigrations[first] };
    const { db } = await openStore({ url, migrations: before });
    await writeOld(db as Kysely<NoteTables>);
    await closeStore();

    await openStore({ url });
    try {
      const found = async (query: string) => {
        const { notes } = await listNotes(owner, { query, tag: '', cursor: null });
        return notes.map(({ title }) => title);
      };
      expect(await found('lodz')).toEqual(['Łódź']);
      expect(await found('ខ្មែរ')).toEqual(['Khmer']);
      expect(await found('京都')).toEqual(['Tagged']);
      expect(await found('n1199')).toEqual(['n1199']);
      expect(await found('old')).toEqual([]);
      expect(await found('deleted')).toEqual([]);
      expect(await restoreNote(owner, idOf(3))).toBe(true);
      expect(await found('deleted')).toEqual(['Deleted']);
      const words = { title: 'Saved', text: 'ø', tags: [] };
      expect(await saveNote(owner, { id: idOf(0), version: 1 }, words)).toBe('saved');
      expect(await addNote(owner, crypto.randomUUID(), { ...words, title: 'Added' })).toBe('saved');
      expect((await found('o')).sort()).toEqual(['Added', 'Saved']);
      expect(await found('lodz')).toEqual([]);
      await sql`delete from account`.execute(store());
      expect(await found('o')).toEqual([]);
    } finally {
      await closeStore();
    }
  });
}

async function writeOld(db: Kysely<NoteTables>, tags = ['京都']): Promise<void> {
  const account = { id: owner, name: 'Ada', email: 'a@b.example', emailVerified: true };
  await (db as unknown as Kysely<{ account: object }>)
    .insertInto('account')
    .values({ ...account, createdAt: now, updatedAt: now })
    .execute();
  const notes = [
    { title: 'Łódź', text: '' },
    { title: 'Khmer', text: 'ខ្ញុំរៀនភាសាខ្មែរនៅសាលា' },
    { title: 'Tagged', text: '' },
    { title: 'Deleted', text: '' },
    { title: '→', text: '' },
    ...Array.from({ length: 1_200 }, (_, at) => ({ title: `n${at}`, text: '' })),
  ];
  await db
    .insertInto('note')
    .values(
      notes.map((words, at) => ({
        ...words,
        id: idOf(at),
        account_id: owner,
        search_text: ' 0123abcdold',
        pinned: false,
        version: 1,
        created_at: now,
        updated_at: now,
        deleted_at: words.title === 'Deleted' ? now : null,
      })),
    )
    .execute();
  const of = { note_id: idOf(2), account_id: owner, pinned: false, updated_at: now };
  await db
    .insertInto('note_tag')
    .values(tags.map((tag) => ({ ...of, tag })))
    .execute();
}

function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
