import { expect, test } from 'vitest';
import { withoutAuthMarks, withoutMarked } from './marks.ts';

test.each([
  ['code', 'a\nb // sample: studio\nc', 'a\nc'],
  ['JSX', 'a\n<b /> {/* sample: studio */}\nc', 'a\nc'],
  ['CSS', 'a\nb /* sample: studio */\nc', 'a\nc'],
  ['settings', 'A=1\nB=2 # sample: studio\n', 'A=1\n'],
  ['Markdown', 'a\nb <!-- sample: studio -->\nc', 'a\nc'],
  ['a row of a table', '| a |\n| b <!-- sample: studio --> |\n| c |', '| a |\n| c |'],
  ['a block', 'a\n  // sample: studio\n  b\n  // /sample\nc', 'a\nc'],
  ['a block of Markdown', 'a\n<!-- sample: studio -->\nb\n<!-- /sample -->\nc', 'a\nc'],
  ['a whole file', '// sample: studio\nb\nc\n', null],
  [
    'a mark within another part’s block',
    '// sample: mcp\na // sample: studio\nb\n// /sample',
    '// sample: mcp\nb\n// /sample',
  ],
  [
    'a block within another part’s',
    '// sample: mcp\n// sample: studio\na\n// /sample\nb\n// /sample',
    '// sample: mcp\nb\n// /sample',
  ],
  [
    'a mark of an auth mode',
    'a\nb // auth: accounts\nc // auth: platform',
    'a\nc // auth: platform',
  ],
  [
    'an auth block within a sample’s',
    '// sample: mcp\n// auth: accounts\na\n// /auth\nb\n// /sample',
    '// sample: mcp\nb\n// /sample',
  ],
  ['a file that needs both auth modes', '// auth: platform\n// auth: accounts\nb', null],
])('%s: the marked part is removed', (_, text, rest) => {
  expect(withoutMarked('a.ts', text, ['studio', 'template', 'accounts'])).toBe(rest);
});

test.each(['a\n// sample: studio\nb', 'a\n// auth: platform\n// auth: accounts\nb'])(
  'a removed block without an end is refused, because the site’s own lines may follow: %j',
  (text) => {
    expect(() => withoutMarked('a.ts', text, ['studio', 'accounts'])).toThrow('has no end in a.ts');
    expect(withoutMarked('a.ts', text, ['mcp'])).toBe(text);
  },
);

test('comments that only look like marks stay', () => {
  const text = 'a // auth: optional\n// auth: none\nb // sample: mine';
  expect(withoutMarked('a.ts', text, ['studio', 'accounts'])).toBe(text);
  expect(withoutAuthMarks(text)).toBe(text);
});

test('other parts’ marks stay, and so does text that merely mentions marks', () => {
  const text =
    'a // sample: mcp\n`// sample: studio` in a sentence\n// sample: mcp\nb\n// /sample\n';
  expect(withoutMarked('a.ts', text, ['studio'])).toBe(text);
});

test('when one kind of accounts is left, its marks are removed and table rows stay valid', () => {
  const text = '| a <!-- auth: platform --> |\nb // auth: platform\n// auth: platform\nc\n// /auth';
  expect(withoutAuthMarks(text)).toBe('| a |\nb\nc');
});
