/** Adding, changing, deleting and restoring notes. */
import { expect, test } from 'vitest';
import type { NotesSite } from './notes-suite';

/** None of them is drawn. */
const invisible = [
  ...['\u200b', '\u2060', '\u00ad', '\u3164', '\u2800', '\ufe0f', '\u200f', '\u0007', '\u200d'],
  ...[
    '\u034f',
    '\u115f',
    '\uffa0',
    '\u180e',
    '\u2066',
    '\u0085',
    '\ufff9',
    '\u{e0041}',
    '\u{1d159}',
  ],
];

export function writingNotes({ owner, send, add, titles, exported, imported }: NotesSite): void {
  test.for(invisible)('a note with nothing to see is refused: %j', async (blank) => {
    const ada = await owner();
    const fields = { title: `${blank} ${blank}`, text: `\n${blank}`, tags: 'a' };
    const id = crypto.randomUUID();
    const empty = await send(ada, '/notes', { intent: 'add', id, ...fields });
    expect([empty.status, empty.text]).toEqual([
      422,
      expect.stringContaining('Write a title or a text.'),
    ]);
    const kept = { title: blank, text: `${blank}\nwords`, tags: `${blank}, a${blank}b` };
    await add(ada, kept);
    expect(await titles(ada)).toEqual(['words']);
    const { notes } = JSON.parse((await exported(ada)).text) as { notes: object[] };
    const rest = { '\u2800': 'a b', '\u{1d159}': 'a\u{1d159}b' }[blank];
    expect(notes).toEqual([
      expect.objectContaining({ title: '', text: kept.text, tags: [rest ?? 'ab'] }),
    ]);
  });

  test('tags that look alike are one, also in the address of their list', async () => {
    const ada = await owner();
    for (const spellings of [
      ['work', 'wo\u200Brk', 'Wor\u00ADk', 'wo\u200Drk', '\u202Ework', 'work\uFE0F'],
      ['i', 'İ', 'i\u0307', 'I\u0307'],
      ['ǰ', 'J\u030C', 'j\u030C'],
      ['οδος', 'ΟΔΟΣ', 'οδοσ'],
      ['می‌خواهم', 'می‌\u200Cخواهم', '\u200Fمی‌خواهم\u200E'],
      ['👩‍💻', '👩‍💻\u200B'],
    ]) {
      const [tag = ''] = spellings;
      const found = await imported(ada, {
        'n.json': JSON.stringify([
          { title: 'all', tags: spellings },
          ...spellings.map((spelling) => ({
            title: 'one',
            text: encodeURIComponent(spelling),
            tags: spelling,
          })),
        ]),
      });
      expect(found.map(({ tags }) => tags)).toEqual(found.map(() => [tag]));
      for (const spelling of spellings)
        expect(await titles(ada, `?tag=${encodeURIComponent(spelling)}`)).toHaveLength(
          found.length,
        );
    }
  });

  test('joiners and variants that change how words look are kept', async () => {
    const ada = await owner();
    for (const words of ['می‌خواهم', 'അവന്‍', 'ক্‌ষ', '👩‍💻', '❤️‍🔥', '1️⃣', '葛󠄀']) {
      const [note] = await imported(ada, {
        'n.json': JSON.stringify([{ title: words, text: words, tags: [words] }]),
      });
      expect(note).toMatchObject({ title: words, text: words, tags: [words] });
    }
  });

  test('a direction override in a title or a query does not reach the words after it', async () => {
    const ada = await owner();
    const id = await add(ada, { title: 'a\u202Eb' });
    const page = await ada.visitor.get(`/notes/${id}`);
    expect(page.text).toContain('<title>ab · ');
    const gone = await send(ada, '/notes', { intent: 'delete', id });
    expect((await ada.visitor.get(gone.location ?? '')).text).toMatch(
      /“(?:<!-- -->)?<bdi>ab<\/bdi>(?:<!-- -->)?” is deleted/,
    );
    const { text } = await ada.visitor.get('/notes?q=%E2%80%AE%3F');
    expect(text).toMatch(/“(?:<!-- -->)?<bdi>\u202E\?<\/bdi>(?:<!-- -->)?” has nothing/);
    expect((await ada.visitor.get('/notes?q=%E2%80%8B')).text).not.toContain('has nothing');
  });

  test('a note’s errors are shown at their fields, with everything that was typed', async () => {
    const ada = await owner();
    const text = 'words that stay';
    const refused = await send(ada, '/notes', {
      intent: 'add',
      id: crypto.randomUUID(),
      title: 'x'.repeat(201),
      text,
      tags: Array.from({ length: 13 }, (_, tag) => `t${tag}`).join(),
    });
    expect(refused.status).toBe(422);
    for (const words of ['Use at most 200 characters.', 'Use at most 12 tags.', text]) {
      expect(refused.text).toContain(words);
    }
    const empty = await send(ada, '/notes', { intent: 'add', id: crypto.randomUUID(), title: ' ' });
    expect([empty.status, empty.text.includes('Write a title or a text.')]).toEqual([422, true]);
    expect(await titles(ada)).toEqual([]);
  });

  test('a note’s limits count characters, and its words are kept as they were typed', async () => {
    const ada = await owner();
    const add = (fields: Record<string, string>) =>
      send(ada, '/notes', { intent: 'add', id: crypto.randomUUID(), ...fields });
    for (const letter of ['😀', 'é'.normalize('NFD')]) {
      const longest = { title: letter.repeat(200), tags: letter.repeat(40) };
      expect((await add({ ...longest, text: letter.repeat(20_000) })).status).toBe(303);
      expect(await titles(ada)).toContain(longest.title);
      const refused = await add({ title: `${longest.title}x`, tags: letter.repeat(41) });
      expect(refused.status).toBe(422);
      for (const words of ['Use at most 200 characters.', 'A tag has at most 40 characters.']) {
        expect(refused.text).toContain(words);
      }
    }
    const query = encodeURIComponent(`${'x'.repeat(199)}😀😀`);
    expect((await ada.visitor.get(`/notes?q=${query}`)).text).toContain(
      `value="${'x'.repeat(199)}😀"`,
    );
  });

  test('a form submitted twice adds one note', async () => {
    const ada = await owner();
    const fields = { intent: 'add', id: crypto.randomUUID(), title: 'Once' };
    const responses = await Promise.all([send(ada, '/notes', fields), send(ada, '/notes', fields)]);
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    expect(await titles(ada)).toEqual(['Once']);
  });

  test('a form that is submitted again with other words shows both, and either or both can be kept', async () => {
    const ada = await owner();
    const id = crypto.randomUUID();
    const fields = { intent: 'add', id, title: 'Plan', tags: 'a' };
    expect((await send(ada, '/notes', { ...fields, text: 'first words' })).status).toBe(303);
    const again = await send(ada, '/notes', { ...fields, text: 'second words' });
    expect(again.status).toBe(409);
    for (const words of ['first words', 'second words', 'Keep mine', 'Keep both']) {
      expect(again.text).toContain(words);
    }
    expect((await ada.visitor.get(`/notes/${id}`)).text).toContain('first words');
    const [, another = ''] = /name="id" value="([^"]+)"/.exec(again.text) ?? [];
    const [, version = ''] = /name="version" value="([^"]+)"/.exec(again.text) ?? [];

    const both = { intent: 'add', id: another, version, title: 'Plan', text: 'second words' };
    expect((await send(ada, '/notes', both)).location).toBe(`/notes?added=${another}`);
    expect((await ada.visitor.get(`/notes/${another}`)).text).toContain('second words');
    const mine = await send(ada, `/notes/${id}`, both);
    expect(mine.location).toBe(`/notes/${id}?saved=2`);
    expect((await ada.visitor.get(`/notes/${id}`)).text).toContain('second words');
    expect(await titles(ada)).toEqual(['Plan', 'Plan']);

    await send(ada, '/notes', { intent: 'delete', id });
    const late = await send(ada, '/notes', { ...fields, text: 'second words' });
    expect([late.status, late.text.includes('was deleted in the meantime')]).toEqual([409, true]);
  });

  test('on a conflict between two tabs, the second one sees both versions and chooses, and no save is lost', async () => {
    const ada = await owner();
    const id = await add(ada, { title: 'Plan', text: 'first', tags: 'a' });
    const save = (version: string, text: string) =>
      send(ada, `/notes/${id}`, { intent: 'save', version, title: 'Plan', text, tags: 'a' });
    expect((await save('1', 'of one tab')).location).toBe(`/notes/${id}?saved=2`);
    // A repeated submission whose response was lost is not a conflict.
    expect((await save('1', 'of one tab')).status).toBe(303);
    const late = await save('1', 'of the other');
    expect(late.status).toBe(409);
    for (const words of [
      'of one tab',
      'of the other',
      'Keep mine',
      'Use the current version',
      'name="version" value="2"',
    ]) {
      expect(late.text).toContain(words);
    }
    expect((await ada.visitor.get(`/notes/${id}`)).text).toContain('of one tab');
    expect((await save('2', 'of the other')).status).toBe(303);
    expect((await ada.visitor.get(`/notes/${id}`)).text).toContain('of the other');

    // Concurrently: one of them gets the conflict, in either order.
    const both = await Promise.all([save('3', 'x'), save('3', 'y')]);
    expect(both.map(({ status }) => status).sort()).toEqual([303, 409]);

    await send(ada, '/notes', { intent: 'delete', id });
    const over = await save('4', 'after its deletion');
    expect([over.status, over.text.includes('was deleted in the meantime')]).toEqual([409, true]);
    expect(await titles(ada)).toEqual([]);
    expect((await save('5', 'after its deletion')).status).toBe(303);
    expect(await titles(ada)).toEqual(['Plan']);
    expect(await titles(ada, '?tag=a')).toEqual(['Plan']);
  });

  test('a deletion can be undone, in the list that was open', async () => {
    const ada = await owner();
    const id = await add(ada, { title: 'Dear', text: 'kept', tags: 'home' });
    const deleted = await send(ada, '/notes?q=kept', { intent: 'delete', id });
    expect(deleted.location).toBe(`/notes?q=kept&deleted=${id}`);
    expect((await ada.visitor.get(deleted.location ?? '')).text).toContain('Undo');
    expect(await titles(ada)).toEqual([]);
    expect((await exported(ada)).text).toBe('{"notes":[]}\n');
    const undone = await send(ada, `/notes?q=kept&deleted=${id}`, { intent: 'restore', id });
    expect(undone.location).toBe('/notes?q=kept');
    expect(await titles(ada, '?tag=home')).toEqual(['Dear']);
    expect((await send(ada, '/notes', { intent: 'restore', id })).status).toBe(404);
  });
}
