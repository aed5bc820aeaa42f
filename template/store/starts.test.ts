/** Several processes start at once on a new store: one migrates it, and the others wait. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lookFor, startWriter, whole } from '../durability/kills';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';

async function startFour(url: string): Promise<void> {
  const writers = await Promise.all(Array.from({ length: 4 }, () => startWriter(url)));
  await Promise.all(writers.map((writer) => writer.more(10)));
  await Promise.all(writers.map((writer) => writer.end('SIGTERM')));
  expect(writers.flatMap(({ failures }) => failures)).toEqual([]);
  const kept = writers.flatMap((writer) => writer.kept);
  expect(await lookFor(url, kept)).toMatchObject(whole);
}

test('four processes start at once on a new file, and all write to it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'starts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await startFour(`file:${path.join(folder, 'data', 'site.db')}`);
});

describe.skipIf(!hasPostgres)('with PostgreSQL', () => {
  test('four processes start at once on a new database, and all write to it', async () => {
    const databases = await postgresDatabases();
    onTestFinished(() => databases.stop());
    await startFour(await databases.newDatabase());
  });
});
