import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { LightSignal, wholeSignal } from './cancellation.ts';

/** A light signal can stand in for an AbortSignal, so both have the same tests. */
const kinds = {
  'an AbortSignal': () => {
    const controller = new AbortController();
    return {
      signal: controller.signal,
      abort: () => {
        controller.abort();
      },
    };
  },
  'a light signal': () => {
    const signal = new LightSignal();
    return {
      signal,
      abort: () => {
        signal.abort();
      },
    };
  },
};

describe.each(Object.entries(kinds))('%s', (_name, make) => {
  test('is not aborted initially', () => {
    const { signal } = make();
    expect(signal.aborted).toBe(false);
    expect(signal.reason).toBeUndefined();
    expect(() => {
      signal.throwIfAborted();
    }).not.toThrow();
  });

  test('is aborted once, with a reason, and notifies each remaining listener', () => {
    const { signal, abort } = make();
    const [first, left, last] = [vi.fn(), vi.fn(), vi.fn()];
    signal.addEventListener('abort', first);
    signal.addEventListener('abort', left);
    signal.addEventListener('abort', last);
    signal.removeEventListener('abort', left);
    abort();
    const reason: unknown = signal.reason;
    abort();
    expect(signal.aborted).toBe(true);
    expect(reason).toMatchObject({ name: 'AbortError', message: 'This operation was aborted' });
    expect(signal.reason).toBe(reason);
    expect(() => {
      signal.throwIfAborted();
    }).toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(first).toHaveBeenCalledOnce();
    expect(last).toHaveBeenCalledOnce();
    expect(left).not.toHaveBeenCalled();
  });

  test('does not notify listeners added too late, or removed during the notification', () => {
    const { signal, abort } = make();
    const [late, leaving] = [vi.fn(), vi.fn()];
    signal.addEventListener('abort', () => {
      signal.removeEventListener('abort', leaving);
    });
    signal.addEventListener('abort', leaving);
    abort();
    signal.addEventListener('abort', late);
    abort();
    expect(leaving).not.toHaveBeenCalled();
    expect(late).not.toHaveBeenCalled();
  });

  test('aborts operations that take an AbortSignal, created before or after', async () => {
    const { signal, abort } = make();
    const before = wholeSignal(signal);
    expect(before).toBeInstanceOf(AbortSignal);
    expect(wholeSignal(signal)).toBe(before);
    const waiting = wait(60_000, undefined, { signal: before });
    abort();
    await expect(waiting).rejects.toMatchObject({
      name: 'AbortError',
      cause: signal.reason as unknown,
    });

    const other = make();
    other.abort();
    const after = wholeSignal(other.signal);
    expect(after.aborted).toBe(true);
    expect(after.reason).toBe(other.signal.reason);
  });
});
