/** An export can be imported again, whatever the notes contain. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBlank } from '@gatehouse/frame';
import { tagOf } from '~/notes/schemas.server';
import type { ExportedNote, NotesSite } from './notes-suite';

export function roundTripOfNotes({ owner, upload, exported, imported }: NotesSite): void {
  test('a tag is the same however its letters are composed, and in any case that it is written in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (typed) => {
        const tag = tagOf(typed);
        expect([tagOf(tag), tagOf(tag.normalize('NFD')), tagOf(`\u2060${typed}`)]).toEqual([
          tag,
          tag,
          tag,
        ]);
        expect(tagOf(tag.toLowerCase())).toBe(tag);
      }),
      { numRuns: 5_000 },
    );
  });

  test('what is exported is what is imported, for any words, in both formats', async () => {
    const ada = await owner();
    await fc.assert(
      fc.asyncProperty(fc.array(anyNote, { minLength: 1, maxLength: 30 }), async (written) => {
        const notes = written.map((note, at) => ({
          ...note,
          tags: [...new Set(note.tags)].sort(),
          createdAt: new Date(Date.UTC(2024, 0, 1) + at).toISOString(),
          updatedAt: new Date(Date.UTC(2025, 0, 1) + at).toISOString(),
        }));
        const ordered = (all: ExportedNote[]) =>
          all.toSorted((note, other) => note.createdAt.localeCompare(other.createdAt));
        const file = JSON.stringify(notes);
        expect(ordered(await imported(ada, { 'n.json': file }))).toEqual(notes);
        for (const [format, name] of [
          ['json', 'n.json'],
          ['markdown', 'n.md'],
        ] as const) {
          const { text } = await exported(ada, format);
          expect(ordered(await imported(ada, { [name]: text }))).toEqual(notes);
          const again = await upload(ada, ada.account, { [name]: text.replaceAll('\n', '\r\n') });
          expect(again.text).toContain('Nothing was imported:');
        }
      }),
      { numRuns: 10 },
    );
  });
}

/** Words as they are stored: the form collapses white space in titles, and orders tags. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    ...[
      '---',
      '...',
      '# ',
      '## x',
      '<!-- note {"tags":[]} -->',
      '\\<!-- note ',
      '-->',
      '```',
      '"',
      "'",
      ': ',
      '* a',
    ],
    ...[
      'title: x',
      'Łódź',
      '日本語',
      'ខ្មែរ',
      'שָׁלוֹם',
      '👨‍👩‍👧',
      '\u2028',
      '\u0085',
      '\t',
      '\uFEFF',
      '{',
      '[',
      '\\',
      '\\n',
      '&amp;',
    ],
  ),
);
const words = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(' '));
const lines = fc
  .array(fc.oneof(piece, fc.constantFrom('', '\n', '\n---\n', '\n\n')), { maxLength: 8 })
  .map((some) =>
    some
      .join('\n')
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/[\0\uFEFF]/g, ''),
  );
const anyNote = fc
  .record({
    title: words.map((title) =>
      (isBlank(title) ? '' : title)
        .replaceAll(/[\0\uFEFF]/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ),
    text: lines,
    tags: fc.array(
      fc
        .oneof(piece, fc.constantFrom('home', 'x->y', '日本', '-->', 'ΑΣ', 'wo\u200Brk'))
        .map(tagOf)
        .filter((tag) => !isBlank(tag) && tag.length <= 40),
      { maxLength: 4 },
    ),
    pinned: fc.boolean(),
  })
  .filter(({ title, text }) => title.length <= 200 && !(isBlank(title) && isBlank(text)));
