/** Files that an import cannot read, and why. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NotesSite } from './notes-suite';

/** Little-endian, without a byte order mark. */
function inUtf16(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'utf16le'));
}

export function unreadableFiles({ owner, upload, problemsIn, rows }: NotesSite): void {
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
}
