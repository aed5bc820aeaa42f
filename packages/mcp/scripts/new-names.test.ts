/** Validates the name of a wrapped service. */
import { expect, test } from 'vitest';
import { faultOfNew } from './new-names.ts';

test.each([
  ['', [], /^Give the name/],
  ['one', ['three'], /^Give the name/],
  ['acme-crm', [], /is not\.$/],
  ['../acme', [], /is not\.$/],
  ['acme__crm', [], /is not\.$/],
  ['acme_v2', [], /without version or date/],
  ['acme_2026', [], /without version or date/],
  ['acme_mcp', [], /^Leave the _mcp/],
  ['a'.repeat(31), [], /30 characters/],
])('%j is not a valid name for a service [M01 M35]', (name, others, sentence) => {
  expect(faultOfNew(name, others)).toMatch(sentence);
});

test.each(['acme', 'acme_hr', 's3', 'a'.repeat(30)])('%s is a valid name for a service', (name) => {
  expect(faultOfNew(name)).toBeUndefined();
});
