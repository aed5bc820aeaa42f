/** The visitor's generations as they change, as server-sent events (WHATWG HTML, section 9.2). */
import { setTimeout as pause } from 'node:timers/promises';
import type { GuardResult } from '~/platform/platform.server';
import { isPending, type Generation } from '~/platform/sdk/generations/generations';
import { PlatformSdkError, type PlatformSdk } from '~/platform/sdk/port.server';

export interface LiveEventsOptions {
  sdk: Pick<PlatformSdk, 'generations'>;
  /** Those that are on their way as it begins. */
  pending: readonly Generation[];
  /** Asks the platform anew who the visitor is: nothing is sent to a session that has ended. */
  checkAgain: () => Promise<GuardResult>;
  /** Aborts when the visitor goes away. */
  signal: AbortSignal;
}

/** Milliseconds between two looks at what has changed: what a generation does meanwhile is one event. */
const tick = 1_000;
/** Ticks without a change after which the visitor hears that the stream lives, and the session is checked. */
const quietTicks = 10;

/** A stream that ends with the session, with the last generation that is on its way, or with its visitor. */
export function liveEvents(options: LiveEventsOptions): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const signal = AbortSignal.any([options.signal, gone.signal]);
  const events = tell({ ...options, signal });
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      // A visitor who does not read holds up the stream, and nothing piles up for them.
      async pull(controller) {
        const { value, done } = await events.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        gone.abort();
        await events.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* tell({
  sdk,
  pending,
  checkAgain,
  signal,
}: LiveEventsOptions): AsyncGenerator<string, undefined> {
  const running = new Set(pending.map(({ id }) => id));
  // What ends after it was listed and before the platform's stream is open is in no event: it is asked for by itself.
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
  const askForUnheard = async () => {
    for (const id of unheard) {
      try {
        const generation = await sdk.generations.get(id);
        if (!isPending(generation) && unheard.delete(id)) changed.set(id, generation);
      } catch (error) {
        if (!(error instanceof PlatformSdkError)) throw error;
        // One that was deleted meanwhile is waited for no more. For any other failure there is a next time.
        if (error.status === 404 && unheard.delete(id)) running.delete(id);
      }
    }
  };
  // Why it failed stands in the log.
  void watch()
    .catch(() => undefined)
    .finally(() => (watched.isOver = true));

  try {
    yield 'retry: 3000\n\n';
    for (let quiet = 0, ticks = 0; ; quiet++, ticks++) {
      await pause(tick, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (ticks % quietTicks === 0) await askForUnheard();
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
        news.map((one) => eventOf('generation', JSON.stringify(one))).join('') ||
        eventOf('ping', '')
      );
      if (running.size === 0 || watched.isOver) {
        yield eventOf('end', running.size === 0 ? 'done' : 'lost');
        return;
      }
    }
  } finally {
    ended.abort();
  }
}

/** @param data without line breaks, as JSON is. */
function eventOf(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
