/** What the proof recognises of its people in a text. */
import { expect, test } from 'vitest';
import { namesPerson } from './people.ts';

test.each([
  'asked by Person zq7qz',
  '{"email":"zq7qz@example.com"}',
  'GET /mail?to=zq7qz%40example.com&name=Person+zq7qz',
  'name=Person%20zq7qz',
])('a name or an address is recognised, also in an address: %s', (text) => {
  expect(namesPerson(text)).toBe(true);
});

test.each(['zq7qz wrote this', 'usr_zq7qz', 'somebody@example.com'])('this is none: %s', (text) => {
  expect(namesPerson(text)).toBe(false);
});
