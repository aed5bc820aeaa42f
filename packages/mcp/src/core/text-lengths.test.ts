/** Every text with a limit is stripped, composed (NFC) and then counted in code points; it is passed on as typed. */
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { connectClient } from '../../test/doubles/connected-client.ts';
import { callSearch, call, registered, withoutList } from '../../test/doubles/search-tool.ts';
import { formValueOf } from './context/input-types.ts';
import { responseFormat } from './result/format.ts';
import { line } from './result/markdown.ts';
import { countComposed, isLongerThan } from './result/text-length.ts';
import { verbatim } from './definition/verbatim.ts';

const composed = '\u00e9';
const decomposed = 'e\u0301';
const emoji = '\u{1f600}';
/** Composed text that is longer: Unicode excludes this letter from composition. */
const excluded = '\u0958';
/** One composed letter of four code points, and of 24 bytes in a form. */
const longest = '\u1f82'.normalize('NFD');

test.each<[text: string, isLongEnough: boolean, what: string]>([
  [composed.repeat(200), true, 'the most composed letters'],
  [composed.repeat(201), false, 'one composed letter more'],
  [decomposed.repeat(200), true, 'the most decomposed letters'],
  [decomposed.repeat(201), false, 'one decomposed letter more'],
  [emoji.repeat(200), true, 'the most emoji'],
  [emoji.repeat(201), false, 'one emoji more'],
  [` \n${decomposed.repeat(200)}\t `, true, 'the most letters within blanks'],
  [excluded.repeat(100), true, 'the most letters that compose to two'],
  [excluded.repeat(101), false, 'one more of them'],
  [longest.repeat(200), true, 'the most letters of the longest decomposition'],
  [longest.repeat(201), false, 'one more of those'],
  [`${decomposed.repeat(180)}${'\u0301'.repeat(29)}`, false, '209 with 30 marks in a row'],
  [`${decomposed.repeat(160)}${'\u0301'.repeat(29)}`, true, '189 with 30 marks in a row'],
  [`${decomposed.repeat(160)}${'\u0301'.repeat(30)}`, false, '31 marks in a row, not composed'],
  [emoji.repeat(2), true, 'the fewest emoji'],
  [emoji, false, 'one emoji less'],
  [decomposed.repeat(2), true, 'the fewest decomposed letters'],
  [decomposed, false, 'one decomposed letter less'],
  [` ${composed} `, false, 'one letter within blanks'],
])('[M09 M16 M34] an argument of 2 to 200 characters: %#. %s', async (query, isFitting, what) => {
  const handler = vi.fn(callSearch);
  const { isError } = await call({ query }, {}, registered({ handler }));
  expect([what, isError]).toEqual([what, !isFitting]);
  // Passed on as typed, apart from the blanks.
  if (isFitting) expect(handler.mock.calls[0]?.[0]).toMatchObject({ query: query.trim() });
});

test('[M09] texts in lists, records and choices of a model, and verbatim ones, are counted the same', async () => {
  const seen = vi.fn();
  // One schema in several places, as services share them.
  const text = z.string().trim().min(2).max(3).describe('x');
  const word = () => text;
  const input = z.strictObject({
    list: z.array(word()).max(3).describe('x'),
    named: z.record(z.string().trim().max(3), word()).describe('x'),
    either: z.union([word(), z.int().min(0)]).describe('x'),
    exact: z.string().trim().length(3).describe('x'),
    file: verbatim('x').max(3),
    maybe: word().optional(),
    response_format: responseFormat,
  });
  const tool = withoutList({
    input,
    handler: (args: unknown) => {
      seen(args);
      return Promise.resolve({});
    },
    markdown: () => line`done`,
  });
  const full = decomposed.repeat(3);
  const good = {
    list: [full, emoji.repeat(3)],
    named: { [full]: full },
    either: full,
    exact: full,
    file: `${decomposed}\n${emoji}`,
    maybe: full,
  };
  expect(await call(good, {}, tool)).toMatchObject({ isError: false });
  expect(seen).toHaveBeenCalledWith({ ...good, response_format: 'markdown' });
  for (const [field, value] of Object.entries({
    list: [decomposed],
    named: { a: decomposed.repeat(4) },
    either: decomposed,
    exact: decomposed.repeat(2),
    file: decomposed.repeat(4),
    maybe: decomposed,
  })) {
    const { text, isError } = await call({ ...good, [field]: value }, {}, tool);
    expect([field, isError]).toEqual([field, true]);
    expect(text).toMatch(new RegExp(`^- ${field}`, 'm'));
  }
});

/** A new one each time: a check that was measured once is measured in each model. */
const short = () => z.string().trim().min(2).max(3);
const full = decomposed.repeat(3);
const itself = (value: string) => value;
const upper = (value: string) => value.toUpperCase();
const same = { decode: itself, encode: itself };
const tree = z.object({
  value: short(),
  get children() {
    return z.array(tree).optional();
  },
});

test.each<[construction: string, model: z.ZodType, input: (text: string) => unknown]>([
  ['transform', short().transform(upper), itself],
  ['pipe from', short().pipe(z.string()), itself],
  ['pipe to', z.string().pipe(short()), itself],
  ['transform and pipe', z.string().transform(upper).pipe(short()), itself],
  ['preprocess', z.preprocess(String, short()), itself],
  ['codec', z.codec(z.string(), short(), same), itself],
  ['default', short().default('xx'), itself],
  ['prefault', short().prefault('xx'), itself],
  [
    'catch',
    short()
      .catch('caught')
      .pipe(z.string().regex(/^(?!caught)/)),
    itself,
  ],
  [
    'catch by a function',
    short()
      .catch(() => '')
      .pipe(z.string().min(2)),
    itself,
  ],
  ['brand', short().brand('x'), itself],
  ['readonly, nullable and nonoptional', short().readonly().nullish().nonoptional(), itself],
  ['lazy', z.lazy(() => short()), itself],
  ['a recursive object', tree, (value) => ({ value, children: [{ value }] })],
  ['union', z.union([z.number(), short()]), itself],
  ['xor', z.xor([z.number(), short()]), itself],
  [
    'discriminated union',
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a'), text: short() })]),
    (given) => ({ kind: 'a', text: given }),
  ],
  ['intersection', z.intersection(z.string(), short()), itself],
  ['record', z.record(z.string(), short()), (given) => ({ a: given })],
  ['keys of a record', z.record(short(), z.string()), (given) => ({ [given]: 'a' })],
  ['partial record', z.partialRecord(short(), z.string()), (given) => ({ [given]: 'a' })],
  ['tuple', z.tuple([short()]), (given) => [given]],
  ['the rest of a tuple', z.tuple([z.number()], short()), (given) => [1, given]],
  ['set', z.preprocess((list) => new Set(list as string[]), z.set(short())), (given) => [given]],
  ['map', z.map(short(), short()), (given) => new Map([[given, given]])],
  ['catchall', z.object({}).catchall(short()), (given) => ({ a: given })],
  ['extend', z.object({}).extend({ text: short() }), (given) => ({ text: given })],
  ['check', z.string().check(z.minLength(2), z.maxLength(3)), itself],
  ['check of a union', z.union([z.string()]).check(z.minLength(2), z.maxLength(3)), itself],
  ['check of a property', z.object({}).loose().check(z.property('a', short())), (a) => ({ a })],
  [
    'refine',
    short()
      .refine(() => true)
      .describe('x'),
    itself,
  ],
])('[M09] a text behind %s is counted the same', (_, model, input) => {
  countComposed(model);
  const isAccepted = (given: string) => model.safeParse(input(given)).success;
  expect([full, emoji.repeat(3), decomposed.repeat(2)].map(isAccepted)).toEqual([true, true, true]);
  expect([`${full}x`, emoji.repeat(4), decomposed].map(isAccepted)).toEqual([false, false, false]);
});

test('[M09] a text of the result is counted the same', async () => {
  const output = z.strictObject({ text: short() });
  const handler = () => Promise.resolve({ text: full });
  const tool = withoutList({ output, handler, markdown: () => line`done` });
  expect(await call({ query: 'ada' }, {}, tool)).toMatchObject({ isError: false });
});

test('[M09] each character fits in its longest spelling, in the Unicode version of this Node', () => {
  const rejected: string[] = [];
  for (let code = 0; code < 0x110000; code += 1) {
    const character = String.fromCodePoint(code);
    const { length } = Array.from(character.normalize());
    if (isLongerThan(character.normalize('NFD'), length)) rejected.push(code.toString(16));
  }
  expect(rejected).toEqual([]);
});

test('[M09] the advertised bounds are those of the model, in code points', () => {
  const { listed } = registered();
  expect(listed.inputSchema.properties['query']).toMatchObject({ minLength: 2, maxLength: 200 });
});

test('[M09] the same model, registered again and again, counts the same', async () => {
  for (let times = 0; times < 3; times += 1) {
    const { isError } = await call({ query: decomposed.repeat(200) }, {}, registered());
    expect(isError).toBe(false);
  }
});

test('[M23] the answer to a question is counted the same, and returned as typed', () => {
  for (const letter of [decomposed, composed, emoji]) {
    const longest = letter.repeat(1_000);
    expect(formValueOf('text', { value: ` ${longest} ` })).toBe(longest);
    expect(() => formValueOf('text', { value: `${longest}x` })).toThrow('1 to 1,000 characters');
  }
});

test('an argument of a prompt, and one that is completed, are counted the same', async () => {
  const { client } = await connectClient();
  const greet = (who: string) => client.getPrompt({ name: 'greet', arguments: { who } });
  const complete = (value: string) =>
    client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value },
    });
  for (const letter of [decomposed, composed, emoji]) {
    expect(JSON.stringify(await greet(letter.repeat(50)))).toContain(letter.repeat(50));
    await expect(greet(letter.repeat(51))).rejects.toThrow('who: Too big');
    expect((await complete(letter.repeat(1_000))).completion.values).toBeDefined();
    await expect(complete(letter.repeat(1_001))).rejects.toThrow('argument.value: Too big');
  }
});
