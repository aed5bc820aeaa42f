import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBlank } from '../blank-text.ts';
import { withoutInvisible } from './invisible-text.ts';

const code = (character: string) => `U+${character.codePointAt(0)?.toString(16)}`;

/** Characters without a glyph of their own: format characters, controls, fillers, blank signs. */
const blankCharacters = Array.from(
  '\u200b\u2060\u00ad\u3164\u2800\ufe0f\u200f\u0007\u034f\u115f\u1160\u17b4\u180e\uffa0\u200d\u202e\u2066' +
    '\u061c\ufff9\uffff\u0085\u{e0041}\u{e0100}\u{1d159}\u{1d173}\u{13441}\u3000 \n\ufeff',
);

test.each(blankCharacters.map((character) => [code(character), character]))(
  'a text of nothing but %s is blank',
  (_, character) => {
    expect(isBlank(character)).toBe(true);
    expect(isBlank(` ${character}${character}\u200b`)).toBe(true);
    expect(isBlank(`${character}a`)).toBe(false);
  },
);

test.each(['a', '.', '0', '日', '👍', '→', '\u0301', '\u06dd', '\u0600', '\ue000', '\ufffc'])(
  'a text with a glyph is not blank: %j',
  (text) => {
    expect(isBlank(text)).toBe(false);
  },
);

test.each([
  'می‌خواهم',
  'نامه‌های',
  'ه‍',
  'അവന്‍ വന്നു',
  'क्‍ष',
  'क्‌ष',
  'র‍্যাব',
  'ශ්‍රී',
  '👩‍💻',
  '👩🏽‍💻',
  '👨‍👩‍👧',
  '❤️',
  '❤️‍🔥',
  '🏳️‍🌈',
  '1️⃣',
  '#️⃣',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '👍︎',
  '葛󠄀',
  'ᠨᠠᠢᠮᠠ\u180e\u182d\u180b',
])('what changes how a text looks is kept: %s', (text) => {
  expect(withoutInvisible(text)).toBe(text);
});

test.each([
  ...['\u200b', '\u200c', '\u200d', '\u00ad', '\u2060', '\ufe0f', '\u034f', '\u0007', '\u202e'].map(
    (mark) => [`wo${mark}rk`, 'work'],
  ),
  ['日\u200d本', '日本'],
  ['د\u200b\u200c', 'د'],
  ['ب\u200dب', 'بب'],
  ['می‌‌خواهم', 'می‌خواهم'],
  ['👍\ufe0f', '👍'],
  ['👍\u200d', '👍'],
  ['🏴\u{e0067}\u{e0062}', '🏴'],
  ['1\ufe0f', '1'],
  ['e\u0301\u200d', 'e\u0301'],
  ['\u202aAda\u202c', 'Ada'],
  ['a\tb\nc', 'a\tb\nc'],
])('what changes nothing is removed: %j', (text, rest) => {
  expect(withoutInvisible(text)).toBe(rest);
});

test('removing invisible characters keeps all others, and removing them again changes nothing', () => {
  const character = fc.oneof(
    fc.constantFrom(
      ...blankCharacters,
      ...Array.from('aé日ب്ക🏽👩❤1#\u20e3\u{1f3f4}\u{e0067}\u{e007f}ᠨ葛'),
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 12 }), (characters) => {
      const text = characters.join('');
      const once = withoutInvisible(text);
      expect(withoutInvisible(once)).toBe(once);
      const seen = (some: string) =>
        Array.from(some).filter(
          (character) =>
            !isBlank(character) ||
            /[\s\u{16fe4}\u2800\u{13430}-\u{13442}\u{1d159}]/u.test(character),
        );
      expect(seen(once).join('')).toBe(seen(text.replaceAll('\ufeff', '')).join(''));
    }),
    { numRuns: 2_000 },
  );
});
