/** The short version of `npm run test:durability`, and a negative control: it must detect a lost write. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lookFor, startWriter } from './kills';
import { killRounds } from './rounds';

killRounds(4);

test('detects a site that acknowledges writes before it commits them', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'durability-'));
  const url = `file:${path.join(folder, 'site.db')}`;
  const writer = await startWriter(url, 'forget');
  await writer.more(40);
  await writer.end('SIGKILL');
  expect((await lookFor(url, writer.kept)).lost).toBeGreaterThan(0);
  await rm(folder, { recursive: true, force: true });
});
