/** Timing: promises, aborts, cancelled readers, broken streams, and chunk boundaries. */
import { expect, test } from 'vitest';
import { decode, encode } from 'turbo-stream';
import { text, throughTheWire } from './test-wire.ts';

test('promises are sent as they settle, after the value', async () => {
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

test('a promise at the root stays a promise', async () => {
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

test('a later value can refer to an earlier one', async () => {
  const shared = { name: 'shared' };
  const back = (await throughTheWire({ shared, later: Promise.resolve([shared]) })) as {
    shared: unknown;
    later: Promise<unknown[]>;
  };
  expect((await back.later)[0]).toBe(back.shared);
});

test('a rejection is passed on; a reason that is not an error becomes one without its content', async () => {
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

test('an unobserved rejection is not reported as unhandled', async () => {
  await throughTheWire({ error: Promise.reject(new Error('unseen')) });
});

test('an abort rejects pending promises with its reason, and ends the stream properly', async () => {
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

test('an abort before or after the stream is harmless', async () => {
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

test('a cancelled reader leaks nothing', async () => {
  let resolve!: (value: unknown) => void;
  const later = new Promise((settle) => (resolve = settle));
  const reader = encode({ later, never: new Promise(() => {}) }).getReader();
  await reader.read();
  await reader.cancel();
  resolve(1);
});

test('a stream that ends early rejects pending promises', async () => {
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

test('a stream that fails rejects pending promises and `done`', async () => {
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

test.each(['', '\n', '{', '<html>', '[1', '["a"'])('%j is rejected', async (malformed) => {
  const stream = new Response(malformed).body ?? new ReadableStream<Uint8Array>();
  await expect(decode(stream)).rejects.toThrow();
});

test('chunk boundaries of the network do not matter', async () => {
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

test('each chunk is complete text, so that a page can put it in its own script', async () => {
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

test('a large tree round-trips', async () => {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a'] }));
  expect(await throughTheWire(rows)).toEqual(rows);
});
