import { expect, test } from 'vitest';
import { z } from 'zod';
import { notBlank } from './blank-text.ts';
import { formBytes, atLeast, atMost, inputLength, lengthOf, truncate } from './text-length.ts';

const decomposed = 'é'.normalize('NFD');

test.each([
  ['', 0],
  ['Ada', 3],
  ['é', 1],
  [decomposed, 1],
  ['😀', 1],
  ['한'.normalize('NFD'), 1],
  ['\u0958', 2],
])('counts code points of the composed text: %j', (text, length) => {
  expect(lengthOf(text)).toBe(length);
});

test.each([
  ['abc', 3],
  ['😀'.repeat(3), 3],
  [decomposed.repeat(3), 3],
])('a text within its limit is not changed by truncating it: %j', (text, max) => {
  expect(truncate(text, max)).toBe(text);
});

test('truncating never splits a character', () => {
  expect(truncate('😀😀😀', 2)).toBe('😀😀');
  expect(lengthOf(truncate(decomposed.repeat(3), 2))).toBe(2);
  expect(truncate(decomposed.repeat(3), 2).normalize('NFC')).toBe('éé');
});

test('schemas and inputs count alike, and an empty text has no characters', () => {
  const schema = z.string().check(atLeast(2), atMost(3, 'Too long.'));
  const messages = (text: string) =>
    schema.safeParse(text).error?.issues.map(({ message }) => message) ?? [];
  expect(messages('')).toEqual(['Use at least 2 characters.']);
  expect(messages(decomposed)).toEqual(['Use at least 2 characters.']);
  expect(messages('😀😀😀')).toEqual([]);
  expect(messages('😀😀😀😀')).toEqual(['Too long.']);
  expect(schema.parse(decomposed.repeat(3))).toBe(decomposed.repeat(3));
});

test('a text that is required has something to see', () => {
  const schema = z.string().check(notBlank('Enter a name.'));
  expect(schema.safeParse('\u3164 \u200b').error?.issues).toMatchObject([
    { message: 'Enter a name.' },
  ]);
  expect(schema.parse(' a ')).toBe(' a ');
});

test('a text within the limit fits into its input, and one that the browser cuts off is refused', () => {
  const max = 5;
  const units = inputLength(max);
  let longest = '';
  // No character beyond these is composed of others.
  for (let point = 0; point < 0x3_0000; point++) {
    const typed = String.fromCodePoint(point).normalize('NFD');
    if (lengthOf(typed) === 1 && typed.length > longest.length) longest = typed;
  }
  expect(longest.repeat(max).length).toBeLessThan(units);
  expect(lengthOf(longest.repeat(max + 9).slice(0, units))).toBeGreaterThan(max);
});

test('no character is longer before it is composed than inputs and forms allow', () => {
  const tooLong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const apart = String.fromCodePoint(code).normalize('NFD');
    if (lengthOf(apart) !== 1) continue;
    const sizes = [apart.length < inputLength(1), encodeURIComponent(apart).length <= formBytes];
    if (sizes.includes(false)) tooLong.push(apart);
  }
  expect(tooLong).toEqual([]);
});

test('a text of many marks, which would take minutes to compose, is measured at once', () => {
  // Unsorted, so that each would be compared with all before it.
  expect(lengthOf('\u0301\u0323'.repeat(200_000))).toBe(400_000);
});
