/** The key of a submission, in a form or a request. */
import { expect, test } from 'vitest';
import { idempotencyKeyOf } from './idempotency-key.ts';

const formOf = (key?: string | Blob) => {
  const form = new FormData();
  if (key !== undefined) form.append('key', key);
  return form;
};
const requestOf = (headers: Record<string, string>) =>
  new Request('https://site.example/api/posts', { method: 'POST', headers });

const key = crypto.randomUUID();

test.each([
  ['form', formOf(key)],
  ['request', requestOf({ 'idempotency-key': key })],
])('the key of a %s is read', (_, sent) => {
  expect(idempotencyKeyOf(sent)).toBe(key);
});

test.each([
  ['a form without a key', formOf()],
  ['a form that was sent before its script ran', formOf('')],
])('%s gets another key each time', (_, sent) => {
  const keys = [idempotencyKeyOf(sent), idempotencyKeyOf(sent)];
  expect(keys.map((each) => each.length)).toEqual([36, 36]);
  expect(keys[0]).not.toBe(keys[1]);
});

test.each([
  ['a file as the key', formOf(new Blob([key]))],
  ['a short key', formOf('1234567')],
  ['a long key', formOf('x'.repeat(201))],
  ['a key with a line break', formOf(`${key}\r\nx: y`)],
  ['a request without a key', requestOf({})],
  ['a request with a key of two words', requestOf({ 'idempotency-key': 'eight or more' })],
])('%s is refused with 400', (_, sent) => {
  expect(() => idempotencyKeyOf(sent)).toThrow(
    expect.objectContaining({ status: 400, code: 'idempotency_key_required' }),
  );
});
