import { expect, test } from 'vitest';
import { withoutAuthMarks, withoutMarked } from './marks';

test.each([
  ['code', 'a\nb // sample: studio\nc', 'a\nc'],
  ['JSX', 'a\n<b /> {/* sample: studio */}\nc', 'a\nc'],
  ['CSS', 'a\nb /* sample: studio */\nc', 'a\nc'],
  ['settings', 'A=1\nB=2 # sample: studio\n', 'A=1\n'],
  ['Markdown', 'a\nb <!-- sample: studio -->\nc', 'a\nc'],
  ['a row of a table', '| a |\n| b <!-- sample: studio --> |\n| c |', '| a |\n| c |'],
  ['a block', 'a\n  // sample: studio\n  b\n  // /sample\nc', 'a\nc'],
  ['a block of Markdown', 'a\n<!-- sample: studio -->\nb\n<!-- /sample -->\nc', 'a\nc'],
  ['a block without an end', 'a\n# sample: studio\nb\nc', 'a'],
  ['a whole file', '// sample: studio\nb\nc\n', null],
  [
    'one within another’s',
    '// sample: mcp\na // sample: studio\nb\n// /sample',
    '// sample: mcp\nb\n// /sample',
  ],
  [
    'a block within another’s',
    '// sample: mcp\n// sample: studio\na\n// /sample\nb\n// /sample',
    '// sample: mcp\nb\n// /sample',
  ],
  ['a mark of accounts', 'a\nb // auth: accounts\nc // auth: platform', 'a\nc // auth: platform'],
  [
    'a block of accounts within a sample’s',
    '// sample: mcp\n// auth: accounts\na\n// /auth\nb\n// /sample',
    '// sample: mcp\nb\n// /sample',
  ],
  ['a file that needs both kinds', '// auth: platform\n// auth: accounts\nb', null],
  ['what needs both kinds', 'a\n// auth: platform\n// auth: accounts\nb', 'a\n// auth: platform'],
])('%s loses what is marked', (_, text, rest) => {
  expect(withoutMarked(text, ['studio', 'template', 'accounts'])).toBe(rest);
});

test('another part’s marks stay, and so does a line that only speaks of marks', () => {
  const text =
    'a // sample: mcp\n`// sample: studio` in a sentence\n// sample: mcp\nb\n// /sample\n';
  expect(withoutMarked(text, ['studio'])).toBe(text);
});

test('where one kind of accounts is left, its marks go and a row of a table keeps its end', () => {
  const text = '| a <!-- auth: platform --> |\nb // auth: platform\n// auth: platform\nc\n// /auth';
  expect(withoutAuthMarks(text)).toBe('| a |\nb\nc');
});
