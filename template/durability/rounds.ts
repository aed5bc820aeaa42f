/** Rounds of kill -9 under concurrent writes, on a file and on PostgreSQL. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasOwnPostgres, startPostgres } from '../store/postgres-server';
import { lookFor, startWriter, whole } from './kills';

/** Milliseconds. */
const moment = () => Math.random() * 400;

/** @param rounds kills of each kind. */
export function killRounds(rounds: number): void {
  test('a site that is killed has kept each write that it acknowledged, and its file opens clean', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'durability-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const url = `file:${path.join(folder, 'site.db')}`;
    const kept: string[] = [];
    for (let round = 0; round < rounds; round++) {
      // Two processes on one file, as while one site takes over from another.
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
    test('a database that is killed has kept each write, and the sites on it go on by themselves', async () => {
      const server = await startPostgres();
      onTestFinished(() => server.stop());
      const url = await server.newDatabase();
      const writer = await startWriter(url);
      const kept: string[] = [];
      for (let round = 0; round < rounds; round++) {
        // Half of the rounds kill another site under load, half the database itself.
        if (round % 2 === 0) {
          const other = await startWriter(url);
          await other.more(20);
          await pause(moment());
          await other.end('SIGKILL');
          expect(other.failures).toEqual([]);
          kept.push(...other.kept);
        } else {
          await pause(moment());
          await server.kill();
          await server.start();
        }
        await writer.more(20);
        expect(await lookFor(url, [...kept, ...writer.kept])).toMatchObject(whole);
      }
      await writer.end('SIGTERM');
      expect(writer.failures).toEqual([]);
      if (rounds > 1) expect(writer.retries.length).toBeGreaterThan(0);
      process.stdout.write(
        `PostgreSQL: ${kept.length + writer.kept.length} acknowledged, ${rounds} kills, 0 lost\n`,
      );
    }, 3_600_000);
  });
}
