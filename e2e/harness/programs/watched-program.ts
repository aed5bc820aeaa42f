/**
 * A program that is started again when its source changes, in place of `node --watch`: that would be one
 * process more, which outlives a killed parent and does not say why the program ended.
 */
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';

import type { Program } from './program';

/** Editors save in several steps. */
const SETTLED_AFTER_MS = 100;

export interface WatchedOptions {
  /** The folders of the source, looked at with all below them. One that is not there is left out. */
  sources: readonly string[];
  /** Starts the program, and ends it when the signal says so. Rejects where it is not ready in the end. */
  start: (signal: AbortSignal) => Promise<Program>;
  /** Called each time it is ready. */
  onReady: () => void;
  /** Called with why it is not there; the next edit starts it again. */
  onFailure: (reason: string) => void;
  /** Ends it for good. */
  signal: AbortSignal;
}

/** Runs the program until the signal. Resolves when its last process is gone. */
export async function runWatched(options: WatchedOptions): Promise<void> {
  const { signal, onReady, onFailure } = options;
  const edits = watchEdits(options.sources.filter((folder) => existsSync(folder)));
  while (!signal.aborted) {
    const over = AbortSignal.any([edits.next(), signal]);
    try {
      const program = await options.start(over);
      if (!over.aborted) {
        onReady();
        await Promise.race([program.exited, once(over, 'abort')]);
      }
      await program.stop();
      if (!over.aborted) onFailure(`${program.name} ended (${await program.exited}).`);
    } catch (error) {
      if (!over.aborted) onFailure(error instanceof Error ? error.message : String(error));
    }
    if (!over.aborted) await once(over, 'abort');
  }
  edits.close();
}

function watchEdits(folders: readonly string[]) {
  let edited = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        edited.abort();
      }, SETTLED_AFTER_MS);
    }),
  );
  return {
    /** Aborts at the next edit. */
    next() {
      if (edited.signal.aborted) edited = new AbortController();
      return edited.signal;
    },
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
