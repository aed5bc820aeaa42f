/** Starts and kills writers, and checks that the store contains every write that was acknowledged to them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { closeStore, openStore, store, type PairTables } from './pairs';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Writer {
  /** Writes that were acknowledged. */
  kept: string[];
  /** The reasons of the retryable errors with which writes failed. */
  retries: string[];
  /** Errors that were not retryable. There must be none. */
  failures: string[];
  /** Resolves once this many more writes have been acknowledged, or the writer has exited. */
  more(count: number): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
}

export async function startWriter(url: string, how: 'keep' | 'forget' = 'keep'): Promise<Writer> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'template/durability/writer.ts', url, how],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const read = once(child.stdout, 'close');
  const writer: Writer = {
    kept: [],
    retries: [],
    failures: [],
    more: async (count) => {
      const wanted = writer.kept.length + count;
      while (writer.kept.length < wanted && child.exitCode === null) await pause(10);
    },
    end: async (signal) => {
      child.kill(signal);
      await Promise.all([exited, read]);
    },
  };
  const lines = { kept: writer.kept, retry: writer.retries, failed: writer.failures };
  const opened = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, kind, words = ''] = /^(kept|retry|failed) (.*)$/.exec(line) ?? [];
      if (line === 'open') resolve();
      else if (kind === 'kept' || kind === 'retry' || kind === 'failed') lines[kind].push(words);
    });
  });
  await Promise.race([opened, exited.then(() => Promise.reject(new Error('The writer ended.')))]);
  return writer;
}

/** Opens the store as a site does, and compares its rows with the acknowledged writes. */
export async function lookFor(url: string, kept: readonly string[]) {
  const { db, kind } = await openStore({ url });
  try {
    const rows = await store<PairTables>().selectFrom('pair').select(['id', 'pair']).execute();
    const there = new Set(rows.map(({ id }) => id));
    const halves = rows.filter(({ pair }) => pair !== '');
    const pairs = new Set(halves.map(({ pair }) => pair));
    const integrity =
      kind === 'sqlite'
        ? (await sql`pragma integrity_check`.execute(db)).rows
        : [{ integrity_check: 'ok' }];
    return {
      rows: rows.length,
      lost: kept.filter((id) => !there.has(`${id}-a`)).length,
      halves: pairs.size * 2 - halves.length,
      integrity,
    };
  } finally {
    await closeStore();
  }
}

/** The result of {@link lookFor} when nothing was lost. */
export const whole = { lost: 0, halves: 0, integrity: [{ integrity_check: 'ok' }] };
