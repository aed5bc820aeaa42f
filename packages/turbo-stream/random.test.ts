/** Random values from seeds, of every kind in every position. */
import { expect, test } from 'vitest';
import { throughTheWire } from './test-wire.ts';

/** Replaces promises by their results, and maps and sets by arrays, so that equality compares everything. */
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

test('random values round-trip', async () => {
  for (let seed = 1; seed <= 400; seed++) {
    // In an array, because `await` would unwrap a promise at the root.
    const value = [randomValues(seed)(5)];
    expect(await settle(await throughTheWire(value)), `seed ${seed}`).toEqual(await settle(value));
  }
});
