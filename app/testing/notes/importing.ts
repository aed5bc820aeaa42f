// sample: notes
/** What an import accepts, and what it rejects and how. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NotesSite } from './notes-suite';

/** Little-endian, without a byte order mark. */
function inUtf16(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'utf16le'));
}

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

  test('a file that cannot be read is rejected by its name, with what to do', async () => {
    const ada = await owner();
    const before = await rows();
    const inYaml = (line: number, advice: string) =>
      `has invalid YAML in line ${line}, in the block before its text: ${advice}`;
    const utf16 = new Uint8Array([0xff, 0xfe, 0x5b, 0, 0x5d, 0]);
    const nested = '['.repeat(2_000);
    for (const [name, content, sentence] of [
      ['a.json', '', 'is empty: leave it out.'],
      ['a.json', '\uFEFF \r\n', 'is empty: leave it out.'],
      ['a.md', '', 'is empty: leave it out.'],
      ['a.md', '\uFEFF\r\n\r\n', 'is empty: leave it out.'],
      [
        'a.json',
        '[{"title":"x"},{"title":',
        'is not valid JSON after note 1. Correct it, or export it again.',
      ],
      ['a.json', '{"title":"x"}{"title":"y"}', ', title: Write a list of notes'],
      ['a.json', '[{"title":"x"}] more', 'is not valid JSON after note 1.'],
      ['a.json', utf16, 'is not UTF-8 text: save it as UTF-8.'],
      ['a.md', utf16, 'is not UTF-8 text: save it as UTF-8.'],
      [
        'a.zip',
        'PK',
        'is neither a JSON nor a Markdown file: choose files that end in .json, .md or .markdown.',
      ],
      ['a', 'x', 'is neither a JSON nor a Markdown file'],
      [
        'a.md',
        '---\ntitle: a: b\n---\nx',
        'has invalid YAML in line 2, in the block before its text: correct it.',
      ],
      ['a.md', '---\ntags: [a\n---\nx', 'has invalid YAML in line'],
      ['a.md', '---\ntitle: a\ntitle: b\n---\nx', inYaml(3, '“title” is there twice.')],
      [
        'a.md',
        '---\nlayout: a\n"title": a\ntitle: b\n---\nx',
        inYaml(4, '“title” is there twice.'),
      ],
      ['a.md', '---\ntitle: @home\n---\nx', inYaml(2, 'quote a value that begins with “@”.')],
      [
        'a.md',
        '---\ntags:\n - a\ntitle: `x`\n---\nx',
        inYaml(4, 'quote a value that begins with “`”.'),
      ],
      ['a.md', '---\ntitle: %x\n---\nx', inYaml(2, 'quote a value that begins with “%”.')],
      ['a.md', '---\ntitle: **bold**\n---\nx', inYaml(2, 'quote a value that begins with “*”.')],
      ['a.md', '---\ntags: [a, *b]\n---\nx', inYaml(2, 'quote a value that begins with “*”.')],
      [
        'a.md',
        '---\ndate: 2024-01-01\ntitle: !a b\n---\nx',
        inYaml(3, 'quote a value that begins with “!”.'),
      ],
      ['a.md', '---\ntitle: ! b\n---\nx', inYaml(2, 'quote a value that begins with “!”.')],
      ['a.md', '---\ntitle: &x\n---\nx', inYaml(2, 'quote a value that begins with “&amp;”.')],
      ['a.md', '---\ntitle: &x y\n---\nx', inYaml(2, 'quote a value that begins with “&amp;”.')],
      [
        'a.md',
        '---\ntags:\n  - a\n  - &x b\n---\nx',
        inYaml(4, 'quote a value that begins with “&amp;”.'),
      ],
      [
        'a.md',
        '---\ntitle: x\ntags:\n\t- a\n---\nx',
        inYaml(4, 'indent it with spaces instead of tabs.'),
      ],
      ['a.md', '---\ntags: [#a, b]\n---\nx', inYaml(2, 'quote a value that contains “#”.')],
      ['a.md', '---\ntitle: "a"#b\n---\nx', inYaml(2, 'quote a value that contains “#”.')],
      [
        'a.md',
        '---\ntags: a\ntitle: "x\nmore: y\n---\nx',
        inYaml(3, 'close the quotation mark &quot; that opens there.'),
      ],
      ['a.md', "---\ntitle: 'x\n---\nx", inYaml(2, 'close the quotation mark &#x27; that opens')],
      ['a.md', "---\ntitle: 'it's'\n---\nx", inYaml(2, 'quote the whole value.')],
      ['a.md', '---\ntitle: - a\n---\nx', inYaml(2, 'quote the whole value.')],
      ['a.md', '---\ntitle: a]\ntags: [a\ndate: x\n---\nx', inYaml(3, 'close the “[” that opens')],
      ['a.md', '---\ntitle: x\ny\n---\nx', inYaml(3, 'write “name: value”, or indent')],
      ['a.md', '---\ntitle: "a\\q"\n---\nx', inYaml(2, 'write a backslash within double quotes')],
      ['a.md', `---\ntags: ${nested}\n---\nx`, 'has invalid YAML in line'],
      [
        'a.md',
        '---\na: &a [x]\nb: &b [*a,*a]\n---\nx',
        'has a YAML alias (*): write its value instead.',
      ],
      [
        'a.md',
        `---\ntitle: ${'x'.repeat(5_000)}\n---\nx`,
        'has more than 4096 characters in the YAML block before its text',
      ],
      ['a.json', '{"notes":"x"}', ', notes: Write a list of notes'],
      ...['"text"', '7', ' -1e3 ', 'null', 'true', 'false'].map(
        (json) => ['a.json', json, ': Write a list of notes, or an object'] as const,
      ),
      [
        'a.json',
        `[{"title":"x"},{"title":${'['.repeat(9)}${']'.repeat(9)}}]`,
        'is nested too deeply after note 1: a note has only texts, and a list of tags.',
      ],
      ['a.json', inUtf16('[{"title":"x"}]'), 'is UTF-16 text: save it as UTF-8.'],
      [
        'a.json',
        new Uint8Array(Buffer.from('[{"title":"x"}]', 'utf16le').swap16()),
        'is UTF-16 text: save it as UTF-8.',
      ],
      ['a.md', inUtf16('# Title\n\nText'), 'is UTF-16 text: save it as UTF-8.'],
      [
        'a.json',
        '[{"title":"a"},{"title":"b","text":"c","title":"d"}]',
        ', note 2: “title” is there twice.',
      ],
      ['a.json', String.raw`{"notes":[{"a":{"b":1,"\u0062":2}}]}`, ', note 1: “b” is there twice.'],
      ['a.json', '{"notes":[{"title":"a"}],"notes":[]}', ': “notes” is there twice.'],
      ['a.json', '[{"__proto__":1,"__proto__":2}]', ', note 1: “__proto__” is there twice.'],
      [
        'a.md',
        '# a\n\n<!-- note {"tags":["a"],"tags":["b"]} -->\n# b',
        ', line 3: “tags” is there twice.',
      ],
      ...[
        '<!-- note {"tags":["b"} -->',
        '<!-- note {"tags":["b"]} ->',
        '<!-- note {"tags":["b"]',
        '<!-- note -->',
        '<!-- note tags: b -->',
        ' <!--NOTE {"tags":["b"]} -->',
        '<!--note{"tags":["b"]}-->',
        '<!-- note {"tags":["b"]} --> # b',
        '<!-- note ["b"] -->',
      ].flatMap((broken) =>
        [
          ['---\ntitle: a\n---\n\n<!-- note {} -->\n', 6],
          ['<!-- note {} -->\n# a\n', 3],
        ].map(
          ([before, line]) =>
            [
              'a.md',
              `${before}${broken}\n# b\n\ntext\n`,
              `, line ${line}: The comment does not begin a note`,
            ] as const,
        ),
      ),
      [
        'a.md',
        '# a\n<!-- note {"tags":["b"} -->\n# b',
        ', line 2: The comment does not begin a note',
      ],
      ['a.md', '---\ntags: [[a]]\n---\nx', ', note 1: tags 1: Write text, in quotes.'],
      ['a.md', '---\ndate: soon\n---\nx', ', note 1: date: Write a date such as'],
      ['a.md', '---\npinned: yes\n---\nx', ', note 1: pinned: Write true or false'],
      ['a.md', '---\ntags: a\n---\n', ', note 1: Write a title or a text'],
      [
        'a.md',
        '<!-- note {"text":"lost"} -->\n# x\n',
        ', note 1: text (in the comment): A note has only',
      ],
      ['a.md', '<!-- note {"color":"red"} -->\n# x\n', ', note 1: color: A note has only'],
    ] as const) {
      const { status, text } = await upload(ada, ada.account, { [name]: content });
      expect([content, status, problemsIn(text)]).toEqual([
        content,
        422,
        [expect.stringContaining(`“${name}”${/^[,:]/.test(sentence) ? '' : ' '}${sentence}`)],
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
    expect(got.toSorted((one, other) => one.title.localeCompare(other.title))).toEqual([
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

  test('a Markdown file’s front matter gives title, tags and date, and other words of it are kept', async () => {
    const ada = await owner();
    const day = '2024-05-01T00:00:00.000Z';
    for (const [file, note] of [
      [
        '---\ntitle: Plan\ntags: [Home, "a: b"]\ndate: 2024-05-01\n---\n\nText\n',
        { title: 'Plan', text: 'Text', tags: ['a: b', 'home'], createdAt: day, updatedAt: day },
      ],
      [
        '\uFEFF---\r\ntitle: "Ünï: \'x\'"\r\ntags:\r\n  - b\r\n  - 2024\r\n---\r\nText',
        { title: "Ünï: 'x'", text: 'Text', tags: ['2024', 'b'] },
      ],
      [
        '---\ntags: b, a\n---\n# Heading\n\nText',
        { title: 'Heading', text: 'Text', tags: ['a', 'b'] },
      ],
      ['---\ntitle: 007\ntags:\n---\n', { title: '007', text: '', tags: [] }],
      ['---\ntitle: Same\n---\n\n# Same\n\nText', { title: 'Same', text: 'Text' }],
      ['---\ntitle: One\n---\n# Other\n\nText', { title: 'One', text: '# Other\n\nText' }],
      ['---\ntitle: null\npinned: true\n...\n# Heading\n', { title: 'Heading', pinned: true }],
      // The library would warn of this key, and print it.
      ['---\ntitle: x\n? [a, b]\n: c\n---\nText\n', { title: 'x' }],
      [
        '---\ntitle: x\nlayout: post # why\naliases:\n  - A\n---\nText\n',
        { title: 'x', text: 'Text\n\n---\nlayout: post # why\naliases:\n  - A\n---' },
      ],
      [
        '---\nkey with space: v\ntitle: X\n---\nText',
        { title: 'X', text: 'Text\n\n---\nkey with space: v\n---' },
      ],
      [
        '---\ntítulo: v\ntags: a\n---\n# X\nText',
        { title: 'X', tags: ['a'], text: 'Text\n\n---\ntítulo: v\n---' },
      ],
      ['---\n标题: v\n---\n# X\nText', { title: 'X', text: 'Text\n\n---\n标题: v\n---' }],
      ['---\n"a b": v\n---\n# X\nText', { title: 'X', text: 'Text\n\n---\n"a b": v\n---' }],
      ['---\ntitle: !!str 007\n---\n', { title: '007' }],
      ['---\ntitle: "**bold**, !a &b #c"\n---\n', { title: '**bold**, !a &b #c' }],
      [
        '---\nabout: A site.\nlayout: post\n---\n# X\n',
        { title: 'X', text: '---\nabout: A site.\nlayout: post\n---' },
      ],
      // Comments are words.
      [
        '---\n# first\ntitle: Song # 5\ntags: #a\n---\nText',
        { title: 'Song', text: 'Text\n\n---\n# first\n# 5\n#a\n---' },
      ],
      [
        '---\n# first\n\ntitle: x\ncover: !img &a y # z\n# last\n---\n',
        { title: 'x', text: '---\n# first\n\ncover: &a !img y # z\n\n# last\n---' },
      ],
      // Not front matter.
      ...[
        'Note: this is a paragraph.\n---\nMore',
        '**Note**: words\n---\nMore',
        'Note: this is a: paragraph\n---\nMore',
        'Note: a paragraph\nof two lines\n---\nMore',
        'Note: *really*\n---\nMore',
        'Note: "quoted" words\n\nMore\n...\nEnd',
        'Note: a paragraph',
        `Note: long\n${'x\n'.repeat(3_000)}---\nEnd`,
      ].map((text) => [`---\n${text}`, { title: '', text: `---\n${text}` }] as const),
      ['# A\n<!-- note to self -->\nText', { title: 'A', text: '<!-- note to self -->\nText' }],
      [
        '<!-- note {"tags":["a"]} --> \n# A\n\\<!-- note x',
        { title: 'A', tags: ['a'], text: '<!-- note x' },
      ],
      ['---\nText\n---\nMore', { title: '', text: '---\nText\n---\nMore' }],
      ['---\ntitle: x\n', { title: '', text: '---\ntitle: x' }],
      ['Text\n---\ntitle: x\n---\n', { title: '', text: 'Text\n---\ntitle: x\n---' }],
      [
        `---\n\n${'x\n'.repeat(3_000)}---\nEnd`,
        { title: '', text: `---\n\n${'x\n'.repeat(3_000)}---\nEnd` },
      ],
    ] as const) {
      expect([file, await imported(ada, { 'a.md': file })]).toEqual([
        file,
        [expect.objectContaining(note)],
      ]);
    }
  });

  test('valid JSON is never called invalid, whatever it holds', async () => {
    const ada = await owner();
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 10 }), async (json) => {
        const { status, text } = await upload(ada, ada.account, { 'a.json': ` ${json}\n` });
        expect(text).not.toContain('not valid JSON');
        expect([200, 422]).toContain(status);
      }),
      { numRuns: 60 },
    );
    for (const json of [
      ']',
      ',',
      'nul',
      '7 8',
      '[] 7',
      '{"notes":[]}}',
      '"a',
      '[{"a":01}]',
      '{a:1}',
    ]) {
      const { text } = await upload(ada, ada.account, { 'a.json': json });
      expect([json, problemsIn(text)]).toEqual([
        json,
        [
          expect.stringMatching(
            json.startsWith('7') ? 'Write a list of notes' : 'is not valid JSON',
          ),
        ],
      ]);
    }
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

  test('text of any shape is read in a time that grows with its length', async () => {
    const ada = await owner();
    const long = 100_000;
    for (const line of [
      `a${' '.repeat(long)}`,
      '.'.repeat(long),
      `<!--${' '.repeat(long)}`,
      `<!-- note {${'} --> '.repeat(long / 8)}`,
      `"${' '.repeat(long)}`,
    ]) {
      const refused = await upload(ada, ada.account, { 'a.md': `---\n${line}\n---\n${line}\n` });
      expect(refused.status).toBe(422);
    }
    const words = `${'a'.repeat(9_000)} ${"a'".repeat(5_000)}`;
    expect((await upload(ada, ada.account, { 'a.md': words })).status).toBe(200);
  });

  test('a note that begins with a line of dashes is listed by its first words', async () => {
    const ada = await owner();
    await upload(ada, ada.account, { 'a.md': '---\n\n***\nFirst words\n---' });
    expect((await ada.visitor.get('/notes')).text).toContain('>First words</a>');
  });
}
