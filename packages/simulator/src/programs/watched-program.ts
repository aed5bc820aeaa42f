/**
 * Restarts a program when its source changes. It replaces `node --watch`, which would add a process that
 * outlives a killed parent and does not say why the program ended.
 */
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';

import type { Program } from './program.ts';

/** Editors save in several steps. */
const SETTLED_AFTER_MS = 100;

export interface WatchedOptions {
  /** The source folders, watched recursively. Missing ones are skipped. */
  sources: readonly string[];
  /** Starts the program, and ends it when the signal aborts. Rejects if it does not become ready. */
  start: (signal: AbortSignal) => Promise<Program>;
  /** Called each time it is ready. */
  onReady: () => void;
  /** Called with the reason when it fails; the next edit starts it again. */
  onFailure: (reason: string) => void;
  /** Ends it for good. */
  signal: AbortSignal;
}

/** Runs the program until the signal aborts. Resolves when its last process has ended. */
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

/** What a build, a test or an installation writes there. */
const isOutput = /^(dist|ship|node_modules|\.cache)\b/;

function watchEdits(folders: readonly string[]) {
  let edited = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, name) => {
      if (isOutput.test(name ?? '')) return;
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
