import { expect, test } from 'vitest';
import { compareVersions, isVersion } from './versions.ts';

test('releases are in the order of Semantic Versioning, a pre-release before its release', () => {
  const ordered = [
    '0.9.0',
    '1.0.0-alpha',
    '1.0.0-beta.2',
    '1.0.0-beta.10',
    '1.0.0',
    '1.9.0',
    '1.10.0',
  ];
  expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered);
});

test.each(['1.0', 'v1.0.0', '0xhacker/evil', '1.0.0 || 2', 'latest', ''])(
  '%j is no version',
  (text) => {
    expect(isVersion(text)).toBe(false);
  },
);
