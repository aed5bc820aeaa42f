/** A program that is restarted when its source changes, in any of its folders. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import type { Program } from './program.ts';
import { runWatched } from './watched-program.ts';

/** Source folders, and how often their program was started. */
async function watched(...names: string[]) {
  const root = await mkdtemp(path.join(tmpdir(), 'watched-'));
  const sources = names.map((name) => path.join(root, name));
  const over = new AbortController();
  const starts: number[] = [];
  const start = () => {
    starts.push(starts.length);
    const program = { name: 'A program', exited: new Promise(() => undefined) };
    return Promise.resolve({ ...program, stop: () => Promise.resolve() } as unknown as Program);
  };
  await mkdir(path.join(root, 'src'));
  await mkdir(path.join(root, 'examples'));
  const ended = runWatched({
    sources,
    start,
    onReady: () => undefined,
    onFailure: (reason) => {
      throw new Error(reason);
    },
    signal: over.signal,
  });
  onTestFinished(async () => {
    over.abort();
    await ended;
    await rm(root, { recursive: true });
  });
  return { starts, edit: (file: string) => writeFile(path.join(root, file), 'edited') };
}

it('an edit in any of its folders restarts it', async () => {
  const { starts, edit } = await watched('src', 'examples');
  await expect.poll(() => starts).toHaveLength(1);
  await edit('examples/service.ts');
  await expect.poll(() => starts).toHaveLength(2);
  await edit('src/main.ts');
  await expect.poll(() => starts).toHaveLength(3);
});

it('an edit elsewhere does not restart it, and a missing folder is no error', async () => {
  const { starts, edit } = await watched('src', 'gone');
  await expect.poll(() => starts).toHaveLength(1);
  await edit('examples/service.ts');
  await edit('src/main.ts');
  await expect.poll(() => starts).toHaveLength(2);
});
