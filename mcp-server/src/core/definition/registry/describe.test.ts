import { expect, test } from 'vitest';
import { describeTool } from './describe.ts';

const documentation = {
  purpose: 'Reads one.',
  whenToUse: ['You know it.', 'You are told to.'],
  whenNotToUse: ['You look for it: search.'],
  returns: 'It.',
  errors: ['None: there is none.'],
  examples: ['{"id":"1"}'],
};

test('[M07] says what a schema cannot: purpose, result, uses, non-uses, errors and examples', () => {
  expect(describeTool(documentation)).toBe(
    [
      'Reads one.',
      'Returns: It.',
      'Use when:',
      '- You know it.',
      '- You are told to.',
      'Do not use when: You look for it: search.',
      'Errors:',
      '- None: there is none.',
      '- Else a text that begins "Error: ".',
      'Examples: {"id":"1"}',
    ].join('\n'),
  );
});

test('[M07] what there is nothing to say of is left out', () => {
  const text = describeTool({ ...documentation, whenToUse: [], errors: [], examples: [] });
  expect(text).not.toMatch(/Use when|Examples/);
  expect(text).toMatch(/Errors: Else a text that begins "Error: "\.$/);
});
