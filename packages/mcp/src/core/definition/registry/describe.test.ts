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

test('[M07] contains what a schema cannot express: purpose, result, when to use and not to use, errors and examples', () => {
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

test('[M07] omits empty sections', () => {
  const text = describeTool({ ...documentation, whenToUse: [], errors: [], examples: [] });
  expect(text).not.toMatch(/Use when|Examples/);
  expect(text).toMatch(/Errors: Else a text that begins "Error: "\.$/);
});
