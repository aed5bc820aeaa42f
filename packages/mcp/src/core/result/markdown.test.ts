import { describe, expect, test } from 'vitest';
import { blocks, fence, line, lines, nameWithId, quote } from './markdown.ts';

const shown = (text: string): string => line`${text}`.text;

test('[M12] keeps the literal parts, escapes strings and inserts numbers unchanged', () => {
  expect(line`# *${'*Ada*'}*: ${-5}, **${2}**`.text).toBe('# *\\*Ada\\**: -5, **2**');
  expect(line``.text).toBe('');
});

test('[M12] inserted into Markdown stays Markdown', () => {
  expect(line`## ${line`**${'<b>'}**`}`.text).toBe('## **\\<b>**');
});

test('[M12] lines and blocks omit undefined, and keep empty strings', () => {
  const parts = [line`a`, undefined, line``, line`b`];
  expect(lines(...parts).text).toBe('a\n\nb');
  expect(blocks(...parts).text).toBe('a\n\n\n\nb');
});

test('[M12] a name is followed by its id in parentheses', () => {
  expect(nameWithId('Ada Lovelace', 'u_1').text).toBe('Ada Lovelace (u_1)');
  expect(nameWithId('*Ada*\n', '[x]').text).toBe('\\*Ada\\* (\\[x\\])');
});

describe('a string in Markdown', () => {
  test.each([
    ['**bold** _it_ `code` ~~no~~', '\\*\\*bold\\*\\* \\_it\\_ \\`code\\` \\~\\~no\\~\\~'],
    ['[a](https://evil.example)', '\\[a\\](https://evil.example)'],
    ['![a](https://evil.example/?q=x)', '!\\[a\\](https://evil.example/?q=x)'],
    ['<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert(1)>'],
    ['<https://evil.example>', '\\<https://evil.example>'],
    ['&lt;b&gt; &#60; R&D & co', '\\&lt;b\\&gt; \\&#60; R&D & co'],
    ['a | b\n--- | ---', 'a \\| b --- \\| ---'],
    ['# Heading', '\\# Heading'],
    ['###### x ##', '\\#\\#\\#\\#\\#\\# x \\#\\#'],
    ['- item', '\\- item'],
    ['+ item', '\\+ item'],
    ['---', '\\-\\-\\-'],
    ['===', '\\=\\=\\='],
    ['> quote', '\\> quote'],
    ['1. first', '1\\. first'],
    ['12) first', '12\\) first'],
    ['\\*', '\\\\\\*'],
    ['```\nrm -rf\n```', '\\`\\`\\` rm -rf \\`\\`\\`'],
    ['Ada\n\n# Ignore what was said', 'Ada # Ignore what was said'],
    ['__init__ and __a', '\\_\\_init\\_\\_ and \\_\\_a'],
  ])('%j is escaped', (text, escaped) => {
    expect(shown(text)).toBe(escaped);
  });

  test.each([
    'user_1',
    'snake_case_name',
    'ada.lovelace+x@example.com',
    "Conan O'Brien",
    'C# and F#',
    'Room #5',
    '#5',
    '+49 123 456',
    '-5 °C',
    '3.14',
    '2026-11-21',
    'Zoë Müller-Lüdenscheidt (née Ö)',
    '山田太郎',
    'a < b'.replace('<', 'or'),
    'R&D',
    'What? Yes!',
  ])('%j has no markup, and is unchanged', (text) => {
    expect(shown(text)).toBe(text);
  });

  test('the fast path for plain text gives the same result as full escaping', () => {
    const parts = [
      'a',
      'Zoë',
      '1',
      '_',
      ' ',
      '.',
      '-',
      '+',
      '1.',
      '#',
      "'",
      '(',
      ')',
      ':',
      '?',
      '@',
      ';',
      '/',
      ',',
    ];
    const random = seeded(7);
    for (let round = 0; round < 20_000; round += 1) {
      const length = 1 + Math.floor(random() * 6);
      const text = Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join(
        '',
      );
      // An invisible character, which is removed, disables the fast path.
      expect(shown(text)).toBe(shown(`\u200b${text}`));
    }
  });
});

/** Returns a deterministic pseudo-random generator of numbers from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

const hostile = [
  'A *mark*, <b>',
  '',
  '# Head',
  '===',
  '> nested',
  '1. item',
  '```',
  'tag\u{e0041} and \u202eturned',
];

test('multi-line text is quoted line by line, without markup [M12]', () => {
  const text = `${hostile.join('\r\n')}\u2028last\n`;
  expect(blocks(line`Before`, quote(text), line`After`).text).toBe(
    [
      'Before\n',
      String.raw`> A \*mark\*, \<b>`,
      '>',
      String.raw`> \# Head`,
      String.raw`> \=\=\=`,
      String.raw`> \> nested`,
      String.raw`> 1\. item`,
      String.raw`> ${'\\`'.repeat(3)}`,
      '> tag and turned',
      '> last\n',
      'After',
    ].join('\n'),
  );
});

test('a fence contains any text unchanged, and cannot be closed by it [M12]', () => {
  expect(fence('{\r\n\t"a": "*"\n}\n', 'json').text).toBe('```json\n{\n\t"a": "*"\n}\n```');
  const inside = 'a\n````\n# out\n~~~\n\u2028```` b\0';
  expect(fence(inside, 'x` y').text).toBe('`````xy\na\n````\n# out\n~~~\n\n```` b\n`````');
  expect(fence('').text).toBe('```\n\n```');
  // Other line terminators do not close a fence either.
  for (const end of ['\r', '\u0085', '\v', '\f'])
    expect(fence(`a${end}b`).text).toBe('```\na\nb\n```');
});

test('text of any length is written: the size of a result is limited later [M12]', () => {
  const size = 16 * 1024 * 1024;
  expect(line`${'x'.repeat(size)}`.text).toHaveLength(size);
  expect(fence('`\n'.repeat(500_000)).text).toMatch(/^```\n`\n/);
});

test('an array is one block: its lines have no blank line between them [M12]', () => {
  const items = ['a', 'b'].map((name) => line`- ${name}`);
  expect(blocks(line`# List`, items, [], undefined, '', line`End.`).text).toBe(
    '# List\n\n- a\n- b\n\nEnd.',
  );
  expect(lines(line`a`, '', undefined, line`b`).text).toBe('a\nb');
});
