/** Whose words these are, and where they were typed. */
import { expect, test } from 'vitest';
import { createFieldMarks, marksIn, relabelled, markPlaceholder, wordsIn } from './words.ts';

const form = <Body extends string | Buffer>(body: Body) => ({
  path: '/notes',
  method: 'POST',
  body,
});

test('each field that is sent has a mark of its own, whose person is recognised', () => {
  const { withFreshMarks } = createFieldMarks();
  const typed = markPlaceholder('zq7qz');
  const bodies = [1, 2].map(
    () => withFreshMarks(form(`title=${typed}&text=${typed.toUpperCase()}`)).body,
  );
  const words = bodies.flatMap((body) => [...wordsIn(body)]);
  expect(new Set(words).size).toBe(4);
  expect(bodies[0]).toMatch(/^title=zq7[a-y]{3}qz&text=ZQ7[A-Y]{3}QZ$/);
  expect([...marksIn(bodies.join())]).toEqual(['zq7qz']);
});

test('the same body is sent again with the same words', () => {
  const { withStableMarks } = createFieldMarks();
  const [once, twice, another] = [1, 1, 2].map(
    (id) => withStableMarks(form(`id=${id}&text=${markPlaceholder('zq7qz')}`)).body,
  );
  expect(twice).toBe(once);
  expect(wordsIn(String(another))).not.toEqual(wordsIn(String(once)));
});

test('the bytes of a file keep their length', () => {
  const before = Buffer.from([0x89, 0xff, ...Buffer.from(markPlaceholder('zq12qz')), 0]);
  const after = createFieldMarks().withFreshMarks(form(before)).body;
  expect([after.length, after[1], wordsIn(after.toString('latin1')).size]).toEqual([12, 0xff, 1]);
  expect(after).not.toEqual(before);
});

test('another person types the same into the same fields', () => {
  expect(relabelled('zq7qz, zq7bcdqz, zq77bcdqz', 'zq7qz', 'zq12qz')).toBe(
    'zq12qz, zq12bcdqz, zq77bcdqz',
  );
});
