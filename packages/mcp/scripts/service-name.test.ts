/** Validates the name of a wrapped service. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { faultOfNames } from './service-name.ts';

const none = fileURLToPath(new URL('none', import.meta.url));

test.each([
  [[], /^Give one name/],
  [['one', 'two'], /^Give one name/],
  [['acme-crm'], /is not\.$/],
  [['../acme'], /is not\.$/],
  [['acme__crm'], /is not\.$/],
  [['acme_v2'], /without version or date/],
  [['acme_2026'], /without version or date/],
  [['acme_mcp'], /^Leave the _mcp/],
  [['a'.repeat(31)], /30 characters/],
])('%j is not a valid name for a service [M01 M35]', (names, sentence) => {
  expect(faultOfNames(names, none)).toMatch(sentence);
});

test.each(['acme', 'acme_hr', 's3', 'a'.repeat(30)])('%s is a valid name for a service', (name) => {
  expect(faultOfNames([name], none)).toBeUndefined();
});
