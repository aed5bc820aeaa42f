/** The round trip of each kind of value, and plugins. */
import { expect, test } from 'vitest';
import { decode, encode, type DecodePlugin, type EncodePlugin } from 'turbo-stream';
import { text, throughTheWire } from './test-wire.ts';

test.each<[string, unknown]>([
  ['null', null],
  ['undefined', undefined],
  ['true', true],
  ['an empty string', ''],
  ['text with quotes, backslashes and line ends', '"\\" \\\\ \n \r \u2028 </script><!-- \\u0041'],
  ['text outside ASCII', 'häuser 東京 👩‍👩‍👧'],
  ['a lone surrogate', '\ud83d'],
  ['an integer', 42],
  ['a fraction', -1.5e-7],
  ['a number beyond 2^53', 1e21],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['-0', -0],
  ['a big integer', -123456789012345678901234567890n],
  ['a registered symbol', Symbol.for('a "symbol"')],
  ['a date', new Date('2026-03-01T10:20:30.400Z')],
  ['an invalid date', new Date(NaN)],
  ['a URL', new URL('https://example.test/a?b=%22c%22#d')],
  ['a regular expression', /a"[/\\]\d+/giu],
  ['a map', new Map<unknown, unknown>([[{ key: 1 }, new Set([1, 'two', null])]])],
  ['an empty map', new Map()],
  ['a set', new Set([1, new Map([['a', undefined]])])],
  ['an empty set', new Set()],
  ['an empty array', []],
  ['nested arrays', [[], [[1]], [undefined, null]]],
  ['an empty object', {}],
  ['an undefined property', { here: undefined }],
  ['odd keys', { '': 1, 'a:b,c': 2, '"': 3, '\n': 4, 0: 5 }],
])('%s round-trips', async (_, value) => {
  expect(await throughTheWire(value)).toStrictEqual(value);
  expect(await throughTheWire({ inside: [value] })).toStrictEqual({ inside: [value] });
  const { later } = (await throughTheWire({ later: Promise.resolve(value) })) as {
    later: Promise<unknown>;
  };
  expect(await later).toStrictEqual(value);
});

test('-0 stays -0', async () => {
  expect(Object.is(await throughTheWire(-0), -0)).toBe(true);
});

test('an object without a prototype round-trips, shared and in a cycle', async () => {
  const bare = Object.assign(Object.create(null) as Record<string, unknown>, { a: 1 });
  bare.self = bare;
  const [first, second] = (await throughTheWire([bare, bare])) as (typeof bare)[];
  expect(Object.getPrototypeOf(first)).toBe(null);
  expect(first?.a).toBe(1);
  expect(first?.self).toBe(first);
  expect(second).toBe(first);
});

test('a __proto__ key is data, and pollutes nothing', async () => {
  const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}');
  const back = (await throughTheWire(value)) as object;
  expect(Object.hasOwn(back, '__proto__')).toBe(true);
  expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('a hole in an array becomes undefined', async () => {
  // eslint-disable-next-line no-sparse-arrays
  expect(await throughTheWire([1, , 3])).toStrictEqual([1, undefined, 3]);
});

test('shared references stay shared, and cycles round-trip', async () => {
  const shared = { name: 'shared', when: new Date(0) };
  const cyclic: Record<string, unknown> = { shared, list: [shared, shared.when] };
  cyclic.self = cyclic;
  cyclic.map = new Map([[cyclic, cyclic]]);
  const back = (await throughTheWire(cyclic)) as typeof cyclic;
  expect(back.self).toBe(back);
  expect((back.map as Map<unknown, unknown>).get(back)).toBe(back);
  const [first, when] = back.list as [typeof shared, Date];
  expect(back.shared).toBe(first);
  expect(first.when).toBe(when);
});

test('references after an error are correct', async () => {
  // Version 3 alone miscounts here: the second `later` would be undefined.
  const later = { name: 'later' };
  const back = (await throughTheWire([new Error('x'), later, later])) as unknown[];
  expect(back[1]).toEqual(later);
  expect(back[2]).toBe(back[1]);
});

test('references after a regular expression are correct', async () => {
  // Version 3 alone miscounts here, too.
  const later = { name: 'later' };
  const back = (await throughTheWire([/x/, later, later, new Set([later])])) as unknown[];
  expect(back[2]).toBe(back[1]);
  expect(back[3]).toEqual(new Set([later]));
});

test.each([[[]], [{}], [[[]]], [[new Set()]], [new Map()]])(
  'a promise of %j does not affect other promises',
  async (empty) => {
    // Version 3 alone rejects what is still pending.
    const last = new Promise((resolve) => setTimeout(resolve, 2, 'last'));
    const back = (await throughTheWire({ empty: Promise.resolve(empty), last })) as {
      empty: Promise<unknown>;
      last: Promise<unknown>;
    };
    expect(await back.empty).toEqual(empty);
    expect(await back.last).toBe('last');
  },
);

test('an error keeps its message, and its type if it is a standard one', async () => {
  const [type, plain] = (await throughTheWire([
    new TypeError('wrong "type"'),
    new Error('plain', { cause: 'the cause is not sent' }),
  ])) as Error[];
  expect(type).toBeInstanceOf(TypeError);
  expect(type?.message).toBe('wrong "type"');
  expect(plain?.message).toBe('plain');
  expect(plain).not.toHaveProperty('cause');
});

test('a name in the stream never picks a constructor (GHSA-rxv8-25v2-qmq8)', async () => {
  const bad = Object.assign(new Error('return 1'), { name: 'Function' });
  const back = await throughTheWire(bad);
  expect(back).toBeInstanceOf(Error);
  expect(typeof back).toBe('object');
});

class Money {
  constructor(public amount: bigint) {}
}

const moneyOut: EncodePlugin = (value) => value instanceof Money && ['Money', value.amount];

const moneyIn: DecodePlugin = (type, amount) =>
  type === 'Money' && { value: new Money(amount as bigint) };

test('plugins see objects, functions and errors first, and not arrays or primitives', async () => {
  const seen: unknown[] = [];
  const look: EncodePlugin = (value) => {
    seen.push(value);
    return value instanceof Error ? ['Hidden'] : undefined;
  };
  const date = new Date(0);
  const error = new Error('x');
  const promise = Promise.resolve(1);
  const value = { list: [1, 'a', date], error, promise };
  const back = (await throughTheWire(value, { plugins: [look] }, [
    (type) => type === 'Hidden' && { value: 'hidden' },
  ])) as { error: unknown };
  expect(back.error).toBe('hidden');
  expect(seen).toEqual([value, date, error, promise]);
});

test('a plugin applies to values, promises’ results and their reasons', async () => {
  const price = new Money(1n);
  const back = (await throughTheWire(
    { price, again: [price], later: Promise.resolve(new Money(2n)) },
    { plugins: [moneyOut] },
    [() => undefined, moneyIn],
  )) as { price: Money; again: Money[]; later: Promise<Money> };
  expect(back.price).toEqual(price);
  expect(back.again).toEqual([price]);
  expect(await back.later).toEqual(new Money(2n));
});

test('postPlugins are tried only for values without an encoding', async () => {
  const seen: unknown[] = [];
  const fallback: EncodePlugin = (value) => {
    seen.push(value);
    return ['Fallback'];
  };
  const method = () => 1;
  const symbol = Symbol('own');
  const back = await throughTheWire(
    { method, symbol, money: new Money(1n), fine: new Date(0) },
    { postPlugins: [fallback] },
    [(type) => type === 'Fallback' && { value: 'fallback' }],
  );
  expect(back).toEqual({
    method: 'fallback',
    symbol: 'fallback',
    money: 'fallback',
    fine: new Date(0),
  });
  expect(seen).toEqual([method, symbol, expect.any(Money)]);
});

test('toJSON, then and iterators of a plain object are not called', async () => {
  const trap = () => {
    throw new Error('called');
  };
  const value = { toJSON: trap, then: trap, [Symbol.iterator]: trap, [Symbol.asyncIterator]: trap };
  const back = await throughTheWire(value, { postPlugins: [() => ['Function']] }, [
    () => ({ value: undefined }),
  ]);
  expect(Object.keys(back as object)).toEqual(['toJSON', 'then']);
});

test.each<[string, unknown]>([
  ['a function', () => 1],
  ['an own symbol', Symbol('own')],
  ['a class instance', new Money(1n)],
])('%s without a plugin fails the stream', async (_, value) => {
  await expect(text(encode(value))).rejects.toThrow('Cannot encode');
  await expect(decode(encode({ value }))).rejects.toThrow('Cannot encode');
});

test('in a promise, a value without an encoding rejects only that promise', async () => {
  const back = (await throughTheWire({
    bad: Promise.resolve(() => 1),
    good: Promise.resolve(1),
  })) as Record<string, Promise<unknown>>;
  await expect(back.bad).rejects.toThrow('Cannot encode');
  await expect(back.good).resolves.toBe(1);
});

test('an unknown type is a syntax error', async () => {
  await expect(throughTheWire(new Money(1n), { plugins: [moneyOut] })).rejects.toThrow(SyntaxError);
});
