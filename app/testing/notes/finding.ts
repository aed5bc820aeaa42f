/** Finding notes: by page, by tag and by words. */
import { expect, test } from 'vitest';
import type { NotesSite } from './notes-suite';

export function findingNotes({ owner, send, add, titles, upload }: NotesSite): void {
  test('notes are found by words regardless of case and accents, and by tag, pinned ones first', async () => {
    const ada = await owner();
    const bread = await add(ada, {
      title: 'Bread',
      text: 'Übung macht 100% den Meister',
      tags: 'Home, baking,home',
    });
    await add(ada, { title: 'Boat', text: 'Sails_and ropes', tags: 'home' });
    await add(ada, { text: 'No title\nhere' });
    expect(await titles(ada)).toEqual(['No title', 'Boat', 'Bread']);
    await send(ada, '/notes', { intent: 'pin', id: bread, pinned: 'true' });
    expect(await titles(ada)).toEqual(['Bread', 'No title', 'Boat']);
    for (const [query, found] of [
      ['?q=ubung', ['Bread']],
      ['?q=MEISTER+bread', ['Bread']],
      ['?q=meist+100%25', ['Bread']],
      ['?q=sails_and', ['Boat']],
      // Words match by prefix, not in the middle.
      ['?q=eister', []],
      // No searchable word.
      ['?q=%22', ['Bread', 'No title', 'Boat']],
      // Not a wildcard.
      ['?q=%25', ['Bread']],
      ['?q=_', ['Bread', 'No title', 'Boat']],
      ['?q=bread+boat', []],
      ['?q=baking', ['Bread']],
      ['?tag=home', ['Bread', 'Boat']],
      ['?tag=home&q=ropes', ['Boat']],
      ['?tag=hom', []],
    ] as const) {
      expect([query, await titles(ada, query)]).toEqual([query, found]);
    }
  });

  test('an old note is found among thousands by its current words, and only by its owner', async () => {
    const ada = await owner();
    const eve = await owner();
    const notes = Array.from({ length: 2_500 }, (_, at) => ({
      title: `n${at}`,
      text: at < 30 ? 'Seldom said' : 'said',
      tags: at % 2 === 0 ? ['even'] : [],
      updatedAt: new Date(Date.UTC(2025, 0, 1) + at * 60_000).toISOString(),
    }));
    notes[7] = {
      title: 'Oldest',
      text: 'Zauberflöte 東京',
      tags: [],
      updatedAt: '2020-01-01T00:00:00Z',
    };
    expect((await upload(ada, ada.account, { 'n.json': JSON.stringify(notes) })).status).toBe(200);
    expect(await titles(ada, '?q=zauber')).toEqual(['Oldest']);
    expect(await titles(ada, '?q=zauberfl%C3%B6te+oldest')).toEqual(['Oldest']);
    expect(await titles(ada, '?q=%E4%BA%AC')).toEqual(['Oldest']);
    expect(await titles(ada, '?q=floete')).toEqual([]);
    expect(await titles(eve, '?q=zauber')).toEqual([]);
    expect(await titles(ada, '?q=said&tag=even')).toHaveLength(20);
    const seldom = await titles(ada, '?q=seldom');
    expect(seldom.slice(0, 2)).toEqual(['n29', 'n28']);
    const { text } = await ada.visitor.get('/notes?q=seldom');
    const [, cursor = ''] = /cursor=([^"&]+)/.exec(text) ?? [];
    const rest = await titles(ada, `?q=seldom&cursor=${cursor}`);
    expect(new Set([...seldom, ...rest]).size).toBe(29);
    expect(await titles(ada, '?q=seldom&tag=even')).toHaveLength(15);

    const [, id = ''] =
      /id="note-([^"]+)"/.exec((await ada.visitor.get('/notes?q=zauber')).text) ?? [];
    const save = { intent: 'save', version: '1', title: 'Oldest', text: 'Don Giovanni' };
    expect((await send(ada, `/notes/${id}`, save)).status).toBe(303);
    expect(await titles(ada, '?q=zauber')).toEqual([]);
    expect(await titles(ada, '?q=giovanni')).toEqual(['Oldest']);
    await send(ada, '/notes', { intent: 'delete', id });
    expect(await titles(ada, '?q=giovanni')).toEqual([]);
  });

  test('a pinned or saved note is also first in the lists of its tags', async () => {
    const ada = await owner();
    const first = await add(ada, { title: 'First', tags: 'a' });
    const second = await add(ada, { title: 'Second', tags: 'a' });
    await add(ada, { title: 'Third', tags: 'a' });
    await send(ada, '/notes', { intent: 'pin', id: first, pinned: 'true' });
    expect(await titles(ada, '?tag=a')).toEqual(['First', 'Third', 'Second']);
    const save = { intent: 'save', version: '1', title: 'Second', tags: 'a, b' };
    await send(ada, `/notes/${second}`, save);
    await send(ada, `/notes/${first}`, { ...save, title: 'First' });
    for (const query of ['', '?tag=a']) {
      expect([query, await titles(ada, query)]).toEqual([query, ['First', 'Second', 'Third']]);
    }
    expect(await titles(ada, '?tag=b')).toEqual(['First', 'Second']);
  });

  test('pages follow one another without gaps, and a cursor grants no access', async () => {
    const ada = await owner();
    const notes = Array.from({ length: 45 }, (_, at) => ({
      title: `n${at}`,
      pinned: at % 9 === 0,
      // Some with equal timestamps.
      updatedAt: new Date(Date.UTC(2025, 0, 1 + (at >> 1))).toISOString(),
    }));
    expect((await upload(ada, ada.account, { 'n.json': JSON.stringify(notes) })).status).toBe(200);
    const seen: string[] = [];
    let cursor: string | undefined = '';
    let last = '';
    for (let pages = 0; cursor !== undefined && pages < 9; pages++) {
      last = cursor;
      const query = cursor && `?cursor=${cursor}`;
      seen.push(...(await titles(ada, query)));
      const { text } = await ada.visitor.get(`/notes${query}`);
      cursor = /href="\/notes\?cursor=([^"]+)"/.exec(text)?.[1];
    }
    expect(seen).toHaveLength(45);
    expect(new Set(seen).size).toBe(45);
    expect(seen.slice(0, 5)).toEqual(['n36', 'n27', 'n18', 'n9', 'n0']);
    expect(await titles(ada, '?q=n4')).toHaveLength(6);
    expect(await titles(await owner(), `?cursor=${last}`)).toEqual([]);
  });
}
