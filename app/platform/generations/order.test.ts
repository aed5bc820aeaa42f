import { expect, test } from 'vitest';
import { promptMaxLength } from './generations';
import { orderSchema } from './order.server';

const decomposed = 'é'.normalize('NFD').repeat(promptMaxLength);
const prompt = (value: unknown) => orderSchema.safeParse({ prompts: [value] });

test.each([
  ['empty', ''],
  ['blank', ' \t\r\n\u00a0\ufeff\u3000 '],
  ['invisible', '\u200b\u200d\u2060\ufe0f\u115f'],
  ['of blank signs', '\u2800 \u3164\ufff9'],
  ['too long', 'x'.repeat(promptMaxLength + 1)],
  ['a null character', 'a\0b'],
  ['an escape', 'a\u001b[31mb'],
  ['a C1 control', 'a\u0085b'],
  ['a lone surrogate', 'a\ud83eb'],
  ['absent', undefined],
  ['null', null],
  ['a number', 7],
  ['a list', ['a']],
  ['an object', { toString: 'a' }],
])('a prompt that is %s is rejected with a full sentence', (_, value) => {
  const result = prompt(value);
  expect(result.success).toBe(false);
  expect(result.error?.issues[0]?.message).toMatch(/^[A-Z].*\.$/);
});

test.each([
  ['a fox', 'a fox'],
  ['  a fox\n', 'a fox'],
  ['a\r\nfox\rred', 'a\nfox\nred'],
  ['a\tfox', 'a\tfox'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['🦊', '🦊'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['"; DROP TABLE x; --', '"; DROP TABLE x; --'],
  ['x'.repeat(promptMaxLength), 'x'.repeat(promptMaxLength)],
  ['🦊'.repeat(promptMaxLength), '🦊'.repeat(promptMaxLength)],
  [decomposed, decomposed],
  ['\r\n'.repeat(3_000) + 'a', 'a'],
])(
  'a prompt is accepted with normalised line endings and otherwise unchanged: %#',
  (value, taken) => {
    expect(prompt(value).data?.prompts[0]).toBe(taken);
  },
);

test.each([[null], [[]], ['a fox'], [7]])('the submission %j is rejected', (value) => {
  expect(orderSchema.safeParse(value).success).toBe(false);
});
