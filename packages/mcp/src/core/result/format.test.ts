import { describe, expect, test } from 'vitest';
import { humanTime, oneLine, responseFormat } from './format.ts';

test('[M11] the format is markdown or json, and defaults to markdown', () => {
  expect(responseFormat.parse(undefined)).toBe('markdown');
  expect(responseFormat.parse('json')).toBe('json');
  for (const bad of ['JSON', 'html', '', null, 1]) {
    expect(responseFormat.safeParse(bad).success).toBe(false);
  }
});

describe('one line', () => {
  test.each([
    ['  a \t b ', 'a b'],
    ['a\r\nb\u2028c\u2029d\u0085e', 'a b c d e'],
    ['a\u0000b\u001b[31mc\u009bd', 'a b [31mc d'],
    ['user\u202egnp.exe\u2066', 'usergnp.exe'],
    ['a\u200bb\ufeffc', 'abc'],
    ['hi\u{e0049}\u{e0067}', 'hi'],
    ['\ud800x', '\ufffdx'],
    ['क्\u200dष 👩\u200d💻', 'क्\u200dष 👩\u200d💻'],
  ])('%j becomes %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });

  test('is truncated at a maximum length, between characters, with an ellipsis', () => {
    expect(oneLine('abcdef', 6)).toBe('abcdef');
    expect(oneLine('abcdefg', 6)).toBe('abcde…');
    expect(oneLine('abcd😀😀', 6)).toBe('abcd…');
    expect(oneLine('\u200b'.repeat(1000) + 'a', 6)).toBe('…');
    expect(oneLine('x'.repeat(10_000_000), 6)).toBe('xxxxx…');
  });
});

describe('times', () => {
  test.each<[string | number, string]>([
    ['2026-11-21T13:30:00Z', '21 November 2026, 13:30 UTC'],
    ['2026-11-21T13:30:00.123456Z', '21 November 2026, 13:30 UTC'],
    ['2026-11-21T23:30:00-05:00', '22 November 2026, 04:30 UTC'],
    ['2026-11-21T13:30', '21 November 2026, 13:30 UTC'],
    ['2026-11-21', '21 November 2026'],
    [1_795_267_800, '21 November 2026, 13:30 UTC'],
    [1_795_267_800_000, '21 November 2026, 13:30 UTC'],
    [0, '1 January 1970, 00:00 UTC'],
    [-1, '31 December 1969, 23:59 UTC'],
  ])('[M12] %j is formatted as %s', (time, words) => {
    expect(humanTime(time)).toBe(words);
  });

  test.each<[string | number, string]>([
    ['yesterday', 'yesterday'],
    ['2026-13-45', '2026-13-45'],
    ['2026-02-30T99:99Z', '2026-02-30T99:99Z'],
    ['**5**', '**5**'],
    ['', ''],
    [NaN, 'NaN'],
    [1e300, '1e+300'],
  ])('[M12] %j is not a time, and returned unchanged', (time, words) => {
    expect(humanTime(time)).toBe(words);
  });

  test('[M12] the machine’s time zone has no effect', () => {
    const zone = process.env.TZ;
    try {
      process.env.TZ = 'Asia/Tokyo';
      expect(humanTime('2026-11-21T13:30')).toBe('21 November 2026, 13:30 UTC');
      expect(humanTime('2026-11-21')).toBe('21 November 2026');
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });
});
