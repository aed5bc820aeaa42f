/** What an import accepts of notes, and what it rejects and how. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NotesSite } from './notes-suite';

export function importingNotes({ owner, upload, imported, problemsIn, rows }: NotesSite): void {
  test('an import rejects what the form would not take, naming the file, the note, the field and what to do', async () => {
    const ada = await owner();
    const before = await rows();
    const hasOnly = 'A note has only title, text, tags, pinned, date, createdAt and updatedAt.';
    const asText = 'Write text, in quotes.';
    const asDate = 'Write a date such as 2026-01-31 or 2026-01-31T09:30:00Z, in quotes.';
    const isEmpty = 'Write a title or a text, or remove the note.';
    const json: [value: unknown, ...sentences: string[]][] = [
      [[{ title: 'x', content: 'y' }], `note 1: content: ${hasOnly} Rename or remove the rest.`],
      [[{ title: 'x', a: 1, b: 2 }], `note 1: a, b: ${hasOnly} Rename or remove the rest.`],
      [[{}], `note 1: ${isEmpty}`],
      [[{ title: ' ', text: '\n' }, { tags: ['a'] }], `note 1: ${isEmpty}`, `note 2: ${isEmpty}`],
      [[{ title: 2024 }], `note 1: title: ${asText}`],
      [[{ title: 'x', text: true }], `note 1: text: ${asText}`],
      [[{ title: ['x'] }], `note 1: title: ${asText}`],
      [[{ title: 'x', tags: 7 }], 'note 1: tags: Write a list of texts, or one text with commas.'],
      [[{ title: 'x', tags: { a: true } }], 'note 1: tags: Write a list of texts'],
      [
        [{ title: 'x', tags: ['a', 7, { name: 'b' }] }],
        `note 1: tags 2: ${asText}`,
        `note 1: tags 3: ${asText}`,
      ],
      [[{ title: 'x', pinned: 'true' }], 'note 1: pinned: Write true or false, without quotes.'],
      [[{ title: 'x', pinned: 1 }], 'note 1: pinned: Write true or false, without quotes.'],
      [[{ title: 'x', updatedAt: 1_700_000_000_000 }], `note 1: updatedAt: ${asDate}`],
      [[{ title: 'x', createdAt: 'yesterday' }], `note 1: createdAt: ${asDate}`],
      [[{ title: 'x', createdAt: '2024-02-31' }], `note 1: createdAt: ${asDate}`],
      [[{ title: 'x', date: '1 May 2024' }], `note 1: date: ${asDate}`],
      [
        [{ title: 'x', updatedAt: '2999-01-01' }],
        'note 1: updatedAt: Use a date from 1970 until today.',
      ],
      [
        [{ title: 'x', updatedAt: '1969-12-31' }],
        'note 1: updatedAt: Use a date from 1970 until today.',
      ],
      [
        [{ title: 'x'.repeat(201), tags: Array.from({ length: 13 }, (_, at) => `t${at}`) }],
        'note 1: title: Use at most 200 characters.',
        'note 1: tags: Use at most 12 tags.',
      ],
      [[{ title: 'x', tags: ['t'.repeat(41)] }], 'note 1: tags: A tag has at most 40 characters.'],
      [
        ['x'],
        'note 1: Write each note as an object, such as {&quot;title&quot;: &quot;…&quot;, &quot;text&quot;: &quot;…&quot;}.',
      ],
      [[[{ title: 'x' }]], 'note 1: Write each note as an object'],
      [[null], 'note 1: Write each note as an object'],
      [JSON.parse('[{"title":"x","__proto__":{"text":"y"}}]'), `note 1: __proto__: ${hasOnly}`],
      [
        { title: 'x', text: 'y' },
        'title: Write a list of notes, or an object with nothing but that list as &quot;notes&quot;.',
      ],
      [{ notes: [{ title: 'x' }], more: [{ title: 'y' }] }, 'more: Write a list of notes'],
      [{ notes: { a: { title: 'x' } } }, 'notes: Write a list of notes'],
      [{ notes: 'x' }, 'notes: Write a list of notes'],
    ];
    for (const [value, ...sentences] of json) {
      const { status, text } = await upload(ada, ada.account, { 'a.json': JSON.stringify(value) });
      expect([value, status, problemsIn(text)]).toEqual([
        value,
        422,
        sentences.map((sentence) => expect.stringContaining(`“a.json”, ${sentence}`) as string),
      ]);
    }
    expect(await rows()).toBe(before);
  });

  test('everything that is wrong in several files is listed at once, up to a limit, and nothing is imported', async () => {
    const ada = await owner();
    const before = await rows();
    const refused = await upload(ada, ada.account, {
      'a.json': JSON.stringify([{ title: 'fine' }, {}, { title: 7 }]),
      'b.txt': 'x',
      'c.json': '[',
      'd.md': '# fine',
      'e.md': 'x'.repeat(20_001),
    });
    expect(refused.status).toBe(422);
    expect(problemsIn(refused.text)).toEqual([
      expect.stringContaining('“a.json”, note 2: '),
      expect.stringContaining('“a.json”, note 3: title: '),
      expect.stringContaining('“b.txt” '),
      expect.stringContaining('“c.json” '),
      expect.stringContaining('“e.md”, note 1: text: '),
    ]);
    expect(refused.text).toContain('Nothing was imported.');

    const long = `${'n'.repeat(300)}.json`;
    const many = Array.from({ length: 100 }, (_, at) => ({ [`${at}${'m'.repeat(5_000)}`]: 1 }));
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`m${at}`, 1]));
    const files = { [long]: JSON.stringify([{ title: 'x', ...wide }, ...many]) };
    const listed = await upload(ada, ada.account, files);
    expect(listed.status).toBe(422);
    const problems = problemsIn(listed.text);
    expect(problems).toHaveLength(21);
    expect(problems[0]).toContain('m4 and 4995 more: A note has only');
    expect(problems[20]).toBe('These are the first 20. There may be more.');
    expect(problems.join('').length).toBeLessThan(10_000);
    expect(await rows()).toBe(before);
  });

  test('an import takes null for what is absent, tags as a list or a text, and plain and nearly future dates', async () => {
    const ada = await owner();
    const soon = new Date(Date.now() + 3 * 60_000).toISOString();
    const notes = [
      { title: 'a', text: null, tags: null, pinned: null, createdAt: null, updatedAt: soon },
      { title: 'b', tags: 'Home, work,home', date: '2024-01-31' },
      { title: 'c', createdAt: '2024-01-01T10:00:00', updatedAt: '2024-01-02 10:00:00 +0200' },
      { title: 'd', createdAt: '2024-01-01', date: '2024-01-02T03:04Z' },
    ];
    const got = await imported(ada, {
      'a.JSON': `\uFEFF${JSON.stringify(notes, null, 2).replaceAll('\n', '\r\n')}`,
    });
    const at = (time: string) => `${time}.000Z`;
    expect(got.toSorted((note, other) => note.title.localeCompare(other.title))).toEqual([
      { title: 'a', text: '', tags: [], pinned: false, createdAt: soon, updatedAt: soon },
      expect.objectContaining({
        tags: ['home', 'work'],
        createdAt: at('2024-01-31T00:00:00'),
        updatedAt: at('2024-01-31T00:00:00'),
      }),
      expect.objectContaining({
        createdAt: at('2024-01-01T10:00:00'),
        updatedAt: at('2024-01-02T08:00:00'),
      }),
      expect.objectContaining({
        createdAt: at('2024-01-01T00:00:00'),
        updatedAt: at('2024-01-02T03:04:00'),
      }),
    ]);
  });

  test('whatever is written as a date is stored as one, or refused once', async () => {
    const ada = await owner();
    const part = fc.constantFrom(
      ...[
        '2024-01-31',
        '2024-13-01',
        'T',
        ' ',
        '10:20',
        ':30',
        '.5',
        'Z',
        '+02:00',
        '-0200',
        '99:99',
      ],
    );
    const date = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 5 }).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(date, async (createdAt) => {
        const file = { 'a.json': JSON.stringify([{ title: 'x', createdAt }]) };
        const { status, text } = await upload(ada, ada.account, file);
        const refused = [
          '“a.json”, note 1: createdAt: Write a date such as 2026-01-31 or 2026-01-31T09:30:00Z, in quotes.',
        ];
        expect(problemsIn(text)).toEqual(status === 200 ? [] : refused);
      }),
      { numRuns: 100 },
    );
  });
}
