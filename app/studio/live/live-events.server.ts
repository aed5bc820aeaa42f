/** Server-sent events for changes to the visitor's generations (WHATWG HTML, section 9.2). */
import { setTimeout as pause } from 'node:timers/promises';
import { textStream } from '@gatehouse/frame/server';
import { type GuardResult, PlatformSdkError } from '@gatehouse/platform/server';
import { isPending, type Generation } from '~/platform/generations/generations';
import type { PlatformSdk } from '~/platform.server';

export interface LiveEventsOptions {
  sdk: Pick<PlatformSdk, 'generations'>;
  /** The generations that are pending at the start, or the first page of them. */
  pending: readonly Generation[];
  /** Runs the guard again: nothing is sent to a session that has ended. */
  checkAgain: () => Promise<GuardResult>;
  /** Aborts when the visitor disconnects. */
  signal: AbortSignal;
  /** Called when the stream is over, possibly more than once. */
  onEnd: () => void;
}

/** Milliseconds between updates: several changes to a generation within that time are one event. */
const tick = 1_000;
/** Ticks without a change before a ping is sent and the session is checked. */
const quietTicks = 10;

/** A stream that ends with the session, the last pending generation or the visitor's connection. */
export function liveEvents(options: LiveEventsOptions): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const signal = AbortSignal.any([options.signal, gone.signal]);
  signal.addEventListener('abort', options.onEnd);
  return textStream(tell({ ...options, signal }), () => {
    gone.abort();
  });
}

async function* tell({
  sdk,
  pending,
  checkAgain,
  signal,
  onEnd,
}: LiveEventsOptions): AsyncGenerator<string, undefined> {
  const running = new Set(pending.map(({ id }) => id));
  // A generation that ends between the list and the opening of the platform's stream is in no
  // event, so it is requested individually.
  const unheard = new Set(running);
  const changed = new Map<string, Generation>();
  const ended = new AbortController();
  const watched = { isOver: false };
  const watch = async () => {
    const stop = AbortSignal.any([signal, ended.signal]);
    for await (const generation of sdk.generations.watch({ signal: stop })) {
      unheard.delete(generation.id);
      changed.set(generation.id, generation);
    }
  };
  const requestUnheard = async () => {
    for (const id of unheard) {
      try {
        const generation = await sdk.generations.get(id);
        if (!isPending(generation) && unheard.delete(id)) changed.set(id, generation);
      } catch (error) {
        if (!(error instanceof PlatformSdkError)) throw error;
        // A deleted generation is no longer waited for. Other failures are retried later.
        if (error.status === 404 && unheard.delete(id)) running.delete(id);
      }
    }
  };
  /**
   * At the start only the first page was listed, and a platform's stream may report changes only.
   *
   * @returns why the stream is over; null while anything is pending.
   */
  const endOf = async (): Promise<'done' | 'lost' | null> => {
    if (running.size === 0) {
      try {
        const { items } = await sdk.generations.list({ status: 'pending' });
        if (items.length === 0) return 'done';
        for (const { id } of items) {
          running.add(id);
          unheard.add(id);
        }
      } catch (error) {
        if (!(error instanceof PlatformSdkError)) throw error;
        return 'lost';
      }
    }
    return watched.isOver ? 'lost' : null;
  };
  // The failure itself is logged.
  void watch()
    .catch(() => undefined)
    .finally(() => (watched.isOver = true));

  try {
    yield 'retry: 3000\n\n';
    for (let quiet = 0, ticks = 0; ; quiet++, ticks++) {
      await pause(tick, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (ticks % quietTicks === 0) await requestUnheard();
      if (changed.size === 0 && !watched.isOver && quiet < quietTicks) continue;
      quiet = 0;
      const guard = await checkAgain();
      if (!guard.ok) {
        yield eventOf('end', guard.status === 401 ? 'unauthorized' : 'lost');
        return;
      }
      const news = [...changed.values()];
      changed.clear();
      for (const generation of news) {
        if (isPending(generation)) running.add(generation.id);
        else running.delete(generation.id);
      }
      yield (
        news.map((generation) => eventOf('generation', JSON.stringify(generation))).join('') ||
        eventOf('ping', '')
      );
      const end = await endOf();
      if (end) {
        yield eventOf('end', end);
        return;
      }
    }
  } finally {
    ended.abort();
    onEnd();
  }
}

/** @param data without line breaks, such as JSON. */
function eventOf(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
