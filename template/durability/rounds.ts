/** Rounds of kill -9 under concurrent writes, on a file and on PostgreSQL. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasOwnPostgres, startPostgres } from '@gatehouse/store/testing/postgres-server';
import { lookFor, startWriter, whole } from './kills';

/** One of this many rounds on PostgreSQL kills the database as well. */
const crashEvery = 4;

/** A random delay in milliseconds. */
const moment = () => Math.random() * 400;

/** @param rounds the number of kill rounds on each of the two stores. */
export function killRounds(rounds: number): void {
  test('a killed site loses no acknowledged write, and its file passes an integrity check', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'durability-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const url = `file:${path.join(folder, 'site.db')}`;
    const kept: string[] = [];
    for (let round = 0; round < rounds; round++) {
      // Two processes on one file, as during a restart with overlap.
      const writers = await Promise.all([startWriter(url), startWriter(url)]);
      await Promise.race(writers.map((writer) => writer.more(20)));
      await pause(moment());
      await Promise.all(writers.map((writer) => writer.end('SIGKILL')));
      for (const writer of writers) {
        expect(writer.failures).toEqual([]);
        kept.push(...writer.kept);
      }
      expect(await lookFor(url, kept)).toMatchObject(whole);
    }
    expect(kept.length).toBeGreaterThan(rounds * 20);
    process.stdout.write(`file: ${kept.length} acknowledged, ${rounds} kills, 0 lost\n`);
  }, 3_600_000);

  describe.skipIf(!hasOwnPostgres)('with a PostgreSQL server of its own', () => {
    test('killing a site or its database loses no acknowledged write, and other sites recover', async () => {
      const server = await startPostgres();
      onTestFinished(() => server.stop());
      const url = await server.newDatabase();
      const survivor = await startWriter(url);
      const kept: string[] = [];
      let crashes = 0;
      for (let round = 0; round < rounds; round++) {
        const writer = await startWriter(url);
        await writer.more(20);
        await pause(moment());
        const isCrash = round % crashEvery === 1;
        // Half of the crashes kill the postmaster alone, as the kernel's OOM killer can: its children notice, and exit.
        if (isCrash) await server.kill(crashes++ % 2 === 0 ? 'all' : 'postmaster');
        await writer.end('SIGKILL');
        if (isCrash) await server.start();
        expect(writer.failures).toEqual([]);
        kept.push(...writer.kept);
        await survivor.more(20);
        expect(await lookFor(url, [...kept, ...survivor.kept])).toMatchObject(whole);
      }
      await survivor.end('SIGTERM');
      expect(survivor.failures).toEqual([]);
      if (crashes > 0) expect(survivor.retries.length).toBeGreaterThan(0);
      process.stdout.write(
        `PostgreSQL: ${kept.length + survivor.kept.length} acknowledged, ${rounds} kills of a site and ${crashes} of the database, 0 lost\n`,
      );
    }, 3_600_000);
  });
}
