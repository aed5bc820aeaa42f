/** Searching notes in many scripts. */
import { expect, test } from 'vitest';
import type { NotesSite } from './notes-suite';
import { scripts } from './scripts';
import { spellings } from './spellings';

export function searchingNotes({ owner, add, send, titles }: NotesSite): void {
  test.for([...scripts, ...spellings])(
    'words are found in $script, and letters that differ are told apart',
    async ({ notes, finds }) => {
      const ada = await owner();
      for (const [at, words] of notes.entries())
        await add(ada, { title: `n${at}`, text: `Before\n${words}\nafter` });
      const found: Record<string, number[]> = {};
      for (const query of Object.keys(finds)) {
        const numbers = (await titles(ada, `?q=${encodeURIComponent(query)}`)).map((title) =>
          Number(title.slice(1)),
        );
        found[query] = numbers.sort((number, other) => number - other);
      }
      expect(found).toEqual(finds);
    },
  );

  test('words are found in a title, a text and a tag alike, but a phrase does not reach across them', async () => {
    const ada = await owner();
    await add(ada, { title: 'in the title 東京', text: '都市', tags: '京都' });
    for (const [query, count] of Object.entries({ 東京: 1, 都市: 1, 京都: 1, 東京都: 0, 市: 1 })) {
      expect([query, await titles(ada, `?q=${encodeURIComponent(query)}`)]).toHaveProperty(
        '1.length',
        count,
      );
    }
  });

  test('every word of a query is searched, and a query that is too long is cut between characters', async () => {
    const ada = await owner();
    const words = Array.from({ length: 12 }, (_, at) => `word${at}`);
    const id = await add(ada, { title: 'All', text: words.join(' ') });
    await add(ada, { title: 'Most', text: words.slice(0, -1).join(' ') });
    const query = `?q=${words.join('+')}`;
    expect(await titles(ada, query)).toEqual(['All']);
    await send(ada, `/notes/${id}`, {
      intent: 'save',
      version: '1',
      title: 'All',
      text: '😀'.repeat(200),
    });
    expect(await titles(ada, `?q=${encodeURIComponent(`${'😀'.repeat(199)}😀😀`)}`)).toEqual([
      'All',
    ]);
    expect(await titles(ada, `?q=${encodeURIComponent(`${'😀'.repeat(150)} z`)}`)).toEqual([]);
  });

  test('the page says how words are found, and what of a query was not searched', async () => {
    const ada = await owner();
    await add(ada, { title: 'Bread' });
    const page = async (query: string) =>
      (await ada.visitor.get(`/notes${query && `?q=${encodeURIComponent(query)}`}`)).text;
    const beginnings = 'Words are found by their beginning';
    expect(await page('')).not.toContain(beginnings);
    expect(await page('bread')).toContain(beginnings);
    expect(await page('absent')).toContain(beginnings);
    expect(await page('“…”')).toContain('punctuation is ignored');
    expect(await page('bread '.repeat(40))).toContain(
      'Only the first 200 characters were searched.',
    );
  });
}
