import { afterEach, expect, test, vi } from 'vitest';
import { decode, encode, type DecodePlugin, type EncodePlugin } from 'turbo-stream';

type Options = Parameters<typeof encode>[1];

/** As Remix uses it: encoded to bytes, decoded from bytes. */
async function throughTheWire(
  value: unknown,
  options?: Options,
  plugins?: DecodePlugin[],
): Promise<unknown> {
  const decoded = await decode(encode(value, options), plugins ? { plugins } : {});
  return decoded.value;
}

async function text(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

const unhandled = vi.fn();
process.on('unhandledRejection', unhandled);
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(unhandled).not.toHaveBeenCalled();
});

test.each<[string, unknown]>([
  ['null', null],
  ['undefined', undefined],
  ['true', true],
  ['an empty string', ''],
  ['text with quotes, backslashes and line ends', '"\\" \\\\ \n \r \u2028 </script><!-- \\u0041'],
  ['text outside ASCII', 'häuser 東京 👩‍👩‍👧'],
  ['half a surrogate pair', '\ud83d'],
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
])('%s comes back the same', async (_, value) => {
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

test('an object without a prototype stays one, shared and in a cycle', async () => {
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

test('a hole in an array comes back as undefined', async () => {
  // eslint-disable-next-line no-sparse-arrays
  expect(await throughTheWire([1, , 3])).toStrictEqual([1, undefined, 3]);
});

test('what is shared stays shared, and cycles come back', async () => {
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

test('what comes after an error still refers to the right things', async () => {
  // Version 3 by itself loses count here: the second `later` would be undefined.
  const later = { name: 'later' };
  const back = (await throughTheWire([new Error('x'), later, later])) as unknown[];
  expect(back[1]).toEqual(later);
  expect(back[2]).toBe(back[1]);
});

test('what comes after a regular expression still refers to the right things', async () => {
  // Version 3 by itself loses count here too.
  const later = { name: 'later' };
  const back = (await throughTheWire([/x/, later, later, new Set([later])])) as unknown[];
  expect(back[2]).toBe(back[1]);
  expect(back[3]).toEqual(new Set([later]));
});

test.each([[[]], [{}], [[[]]], [[new Set()]], [new Map()]])(
  'a promise of %j disturbs no other promise',
  async (empty) => {
    // Version 3 by itself rejects what is still pending.
    const last = new Promise((resolve) => setTimeout(resolve, 2, 'last'));
    const back = (await throughTheWire({ empty: Promise.resolve(empty), last })) as {
      empty: Promise<unknown>;
      last: Promise<unknown>;
    };
    expect(await back.empty).toEqual(empty);
    expect(await back.last).toBe('last');
  },
);

test('an error keeps its message and its kind, if that is one of the standard ones', async () => {
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

test('promises are sent as they settle, the value before them', async () => {
  let resolve!: (value: unknown) => void;
  const slow = new Promise((settle) => (resolve = settle));
  const { value, done } = await decode(encode({ now: 1, slow }));
  const back = value as { now: number; slow: Promise<unknown> };
  expect(back.now).toBe(1);
  resolve({ nested: Promise.resolve(new Map([['a', 1]])) });
  const { nested } = (await back.slow) as { nested: Promise<unknown> };
  expect(await nested).toEqual(new Map([['a', 1]]));
  await expect(done).resolves.toBeUndefined();
});

test('a promise at the root is handed over as a promise', async () => {
  const { value } = await decode(encode(Promise.resolve('late')));
  expect(value).toBeInstanceOf(Promise);
  expect(await value).toBe('late');
});

test('one promise in two places is one promise', async () => {
  const promise = Promise.resolve({ a: 1 });
  const [first, second] = (await throughTheWire([promise, promise])) as Promise<unknown>[];
  expect(first).toBe(second);
  expect(await first).toEqual({ a: 1 });
});

test('a later value may refer to an earlier one', async () => {
  const shared = { name: 'shared' };
  const back = (await throughTheWire({ shared, later: Promise.resolve([shared]) })) as {
    shared: unknown;
    later: Promise<unknown[]>;
  };
  expect((await back.later)[0]).toBe(back.shared);
});

test('a promise that rejects, rejects; what is not an error becomes one without its content', async () => {
  const back = (await throughTheWire({
    error: Promise.reject(new RangeError('too far')),
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the point
    other: Promise.reject({ secret: 1 }),
    fine: Promise.resolve(1),
  })) as Record<string, Promise<unknown>>;
  await expect(back.error).rejects.toEqual(new RangeError('too far'));
  await expect(back.other).rejects.toEqual(new Error('An unknown error occurred'));
  await expect(back.fine).resolves.toBe(1);
});

test('a rejection nobody looks at is no unhandled rejection', async () => {
  await throughTheWire({ error: Promise.reject(new Error('unseen')) });
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

test('a plugin works on values, on what promises bring and on their reasons', async () => {
  const one = new Money(1n);
  const back = (await throughTheWire(
    { one, again: [one], later: Promise.resolve(new Money(2n)) },
    { plugins: [moneyOut] },
    [() => undefined, moneyIn],
  )) as { one: Money; again: Money[]; later: Promise<Money> };
  expect(back.one).toEqual(one);
  expect(back.again).toEqual([one]);
  expect(await back.later).toEqual(new Money(2n));
});

test('postPlugins are asked only about what has no encoding', async () => {
  const asked: unknown[] = [];
  const fallback: EncodePlugin = (value) => {
    asked.push(value);
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
  expect(asked).toEqual([method, symbol, expect.any(Money)]);
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

test('in a promise, what has no encoding rejects only that promise', async () => {
  const back = (await throughTheWire({
    bad: Promise.resolve(() => 1),
    good: Promise.resolve(1),
  })) as Record<string, Promise<unknown>>;
  await expect(back.bad).rejects.toThrow('Cannot encode');
  await expect(back.good).resolves.toBe(1);
});

test('a type no plugin knows is a syntax error', async () => {
  await expect(throughTheWire(new Money(1n), { plugins: [moneyOut] })).rejects.toThrow(SyntaxError);
});

test('an abort rejects what is pending with its reason, and ends the stream in order', async () => {
  const controller = new AbortController();
  const stream = encode(
    { pending: new Promise(() => {}), settled: Promise.resolve(1) },
    { signal: controller.signal },
  );
  const { value, done } = await decode(stream);
  const back = value as { pending: Promise<unknown>; settled: Promise<unknown> };
  await expect(back.settled).resolves.toBe(1);
  controller.abort(new Error('Server Timeout'));
  await expect(back.pending).rejects.toEqual(new Error('Server Timeout'));
  await expect(done).resolves.toBeUndefined();
});

test('an abort before or after the stream harms nothing', async () => {
  const controller = new AbortController();
  await throughTheWire({ a: 1 }, { signal: controller.signal });
  controller.abort();
  const back = (await throughTheWire(
    { pending: new Promise(() => {}) },
    { signal: controller.signal },
  )) as { pending: Promise<unknown> };
  await expect(back.pending).rejects.toThrow('abort');
  const failing = new AbortController();
  await expect(text(encode(() => 1, { signal: failing.signal }))).rejects.toThrow('Cannot encode');
  failing.abort();
});

test('a reader that goes away leaves nothing behind', async () => {
  let resolve!: (value: unknown) => void;
  const later = new Promise((settle) => (resolve = settle));
  const reader = encode({ later, never: new Promise(() => {}) }).getReader();
  await reader.read();
  await reader.cancel();
  resolve(1);
});

test('a stream that ends early rejects what is pending', async () => {
  const whole = encode({ a: 1, pending: new Promise(() => {}) });
  const reader = whole.getReader();
  const { value: first } = await reader.read();
  await reader.cancel();
  const cut = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first) controller.enqueue(first);
      controller.close();
    },
  });
  const { value, done } = await decode(cut);
  const back = value as { a: number; pending: Promise<unknown> };
  expect(back.a).toBe(1);
  await expect(back.pending).rejects.toThrow('ended');
  await expect(done).resolves.toBeUndefined();
});

test('a stream that breaks rejects what is pending, and done', async () => {
  const reader = encode({ pending: new Promise(() => {}) }).getReader();
  const { value: first } = await reader.read();
  await reader.cancel();
  let fail!: () => void;
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first) controller.enqueue(first);
      fail = () => {
        controller.error(new Error('connection lost'));
      };
    },
  });
  const { value, done } = await decode(broken);
  fail();
  await expect((value as { pending: Promise<unknown> }).pending).rejects.toThrow('connection lost');
  await expect(done).rejects.toThrow('connection lost');
});

test.each(['', '\n', '{', '<html>', '[1', '["a"'])('%j is refused', async (malformed) => {
  const stream = new Response(malformed).body ?? new ReadableStream<Uint8Array>();
  await expect(decode(stream)).rejects.toThrow();
});

test('it does not matter where the network cuts the bytes', async () => {
  const value = {
    text: 'häuser 👩‍👩‍👧 "\\"',
    flags: [null, true, false, undefined, NaN, -0, 12.5, 10n],
    map: new Map([[/x/g, new Set([new URL('https://example.test')])]]),
    later: Promise.resolve('東京'),
    failed: Promise.reject(new Error('nö')),
  };
  const bytes = new Uint8Array(await new Response(encode(value)).arrayBuffer());
  const expected = {
    ...value,
    later: expect.any(Promise) as unknown,
    failed: expect.any(Promise) as unknown,
  };
  for (const size of [1, 2, 3, 7, 64]) {
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const back = (await decode(pieces)).value as typeof value;
    expect(back).toEqual(expected);
    expect(await back.later).toBe('東京');
    await expect(back.failed).rejects.toThrow('nö');
  }
});

test('chunks are whole text, so that a page may carry each in a script of its own', async () => {
  const long = 'é👩‍👩‍👧'.repeat(20_000);
  const strict = new TextDecoder('utf-8', { fatal: true });
  let chunks = 0;
  const reader = encode(Array.from({ length: 50 }, () => long.slice(0, 900))).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    strict.decode(read.value);
    chunks++;
  }
  expect(chunks).toBeGreaterThan(1);
  expect(await throughTheWire(long)).toBe(long);
});

test('a large tree goes through', async () => {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a'] }));
  expect(await throughTheWire(rows)).toEqual(rows);
});

/** Replaces promises by what they come to, maps and sets by arrays: equality sees all of it then. */
async function settle(value: unknown, seen = new Map<unknown, unknown>()): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Date || value instanceof URL || value instanceof RegExp) return value;
  const target: unknown[] = [Object.prototype.toString.call(value)];
  seen.set(value, target);
  if (value instanceof Promise) {
    const [outcome] = await Promise.allSettled([value]);
    target.push(outcome.status);
    target.push(
      await settle(outcome.status === 'fulfilled' ? outcome.value : outcome.reason, seen),
    );
  } else {
    const iterable = value instanceof Map || value instanceof Set || Array.isArray(value);
    for (const entry of iterable ? value : Object.entries(value)) {
      target.push(await settle(entry, seen));
    }
  }
  return target;
}

/** Values from a seed: shared, cyclic, deferred, nested. */
function randomValues(seed: number): (depth: number) => unknown {
  const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T;
  const simple = [
    null,
    undefined,
    true,
    0,
    -0,
    -3.5,
    1e30,
    NaN,
    Infinity,
    '',
    'ü"\\\n👩‍👧',
    '$0',
    -5n,
  ];
  const pool: unknown[] = [];
  const keep = <T>(value: T) => {
    pool.push(value);
    return value;
  };
  const some = (make: () => void) => {
    for (let left = Math.floor(random() * 4); left > 0; left--) make();
  };
  return function value(depth): unknown {
    if (pool.length > 0 && random() < 0.15) return pick(pool);
    if (depth === 0 || random() < 0.4) return pick(simple);
    const inner = () => value(depth - 1);
    switch (Math.floor(random() * 7)) {
      case 0: {
        const object = keep<Record<string, unknown>>({});
        some(() => (object[pick(['a', 'b', 'c:d', '"', '', '1'])] = inner()));
        return object;
      }
      case 1: {
        const array = keep<unknown[]>([]);
        some(() => array.push(inner()));
        return array;
      }
      case 2: {
        const map = keep(new Map());
        some(() => map.set(inner(), inner()));
        return map;
      }
      case 3: {
        const set = keep(new Set());
        some(() => set.add(inner()));
        return set;
      }
      case 4:
        return pick([new Date(5), new URL('http://a/b?c'), /x"\//g, new Error('e')]);
      case 5:
        return keep(Promise.resolve(inner()));
      default: {
        const promise = Promise.reject(new TypeError('t'));
        promise.catch(() => {});
        return keep(promise);
      }
    }
  };
}

test('random values come back the same', async () => {
  for (let seed = 1; seed <= 400; seed++) {
    // In an array: an await would take a promise at the root apart.
    const value = [randomValues(seed)(5)];
    expect(await settle(await throughTheWire(value)), `seed ${seed}`).toEqual(await settle(value));
  }
});
