import { expect, test } from 'vitest';
import { commonReason, reasonIn } from './reason.ts';

const reasonOf = (body: unknown) =>
  reasonIn(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), commonReason);

test.each<[unknown, string | undefined]>([
  [{ message: ' Too long ' }, 'Too long'],
  [{ error: 'No such label' }, 'No such label'],
  [{ error: { code: 7, message: 'No such label' } }, 'No such label'],
  [{ type: 'about:blank', title: 'Invalid', detail: 'The title is empty' }, 'The title is empty'],
  [{ error: 'invalid_scope', error_description: 'Not that one' }, 'Not that one'],
  [{ errors: ['a', { message: 'b' }] }, 'a; b'],
  [
    { errors: { title: ['is empty', 'is short'], due: 'is past' } },
    'title: is empty; title: is short; due: is past',
  ],
  [
    { message: 'Validation failed', errors: [{ field: 'title', code: 'missing' }] },
    'Validation failed; title: missing',
  ],
  [['one', 'two'], 'one; two'],
  ['The title is empty', 'The title is empty'],
  ['"quoted"', 'quoted'],
  [{ status: 422 }, undefined],
  [{ message: '' }, undefined],
  ['<!doctype html><h1>No', undefined],
  ['', undefined],
  [null, undefined],
])('the reason in %j', (body, reason) => {
  expect(reasonOf(body)).toBe(reason);
});

test('only a few reasons are listed, and deep nesting is ignored', () => {
  expect(reasonOf({ errors: Array.from({ length: 999 }, (_, index) => `e${index}`) })).toBe(
    'e0; e1; e2; e3; e4',
  );
  expect(reasonOf(JSON.parse('{"error":'.repeat(50) + '"x"' + '}'.repeat(50)))).toBeUndefined();
});

test('secrets are redacted', () => {
  expect(reasonOf({ message: 'Refused: Bearer planted-secret' })).toBe(
    'Refused: Bearer [redacted]',
  );
});
