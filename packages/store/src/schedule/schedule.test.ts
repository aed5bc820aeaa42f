/** Scheduled work, on both databases. Times are moved, not waited for. */
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { defineStore } from '../store.ts';
import { openEmptyStore } from '../testing/empty-store.ts';
import { hasPostgres, postgresDatabases } from '../testing/postgres-server.ts';
import { defineSchedule, scheduleMigrations, type ScheduledJob } from './schedule.ts';

const siteStore = defineStore({ url: () => '', migrations: scheduleMigrations });

const minutes = (count: number) => count * 60_000;
const days = (count: number) => minutes(count * 24 * 60);
const inFuture = (milliseconds: number) => new Date(Date.now() + milliseconds);

function suite(address?: () => Promise<string>): void {
  openEmptyStore(siteStore, address);

  const logged: [fields: object, message: string][] = [];
  const write = (fields: object, message: string) => void logged.push([fields, message]);
  let runs = 0;
  let run: ScheduledJob['run'];
  beforeEach(() => {
    logged.length = 0;
    runs = 0;
    run = () => Promise.resolve();
  });

  let names = 0;
  /** As many processes of one site, which have started. */
  async function processes(count: number, every: ScheduledJob['every'], name = `job${++names}`) {
    const job: ScheduledJob = {
      name,
      every,
      run: (given) => {
        runs++;
        return run(given);
      },
    };
    const all = Array.from({ length: count }, () =>
      defineSchedule({ store: siteStore.store, jobs: [job], log: { info: write, error: write } }),
    );
    for (const { onStart } of all) await onStart();
    return all;
  }

  test('a job is done when it is due, once, whatever the number of processes', async () => {
    const all = await processes(5, 'day');
    await Promise.all(all.map(({ runDue }) => runDue()));
    expect(runs).toBe(0);
    for (let day = 1; day <= 3; day++) {
      await Promise.all(all.map(({ runDue }) => runDue(inFuture(days(day)))));
      expect(runs).toBe(day);
      await Promise.all(all.map(({ runDue }) => runDue(inFuture(days(day)))));
      expect(runs).toBe(day);
    }
  });

  test('times that were missed are made up once', async () => {
    const [one] = await processes(1, 'hour');
    await one?.runDue(inFuture(days(3)));
    await one?.runDue(inFuture(days(3)));
    expect(runs).toBe(1);
    const name = `job${names}`;
    expect(logged).toMatchObject([
      [{ job: name, due: expect.any(Date) as Date }, 'scheduled work begins'],
      [{ job: name, milliseconds: expect.any(Number) as number }, 'scheduled work is done'],
    ]);
  });

  test('a job that fails is done again five minutes later, and the log says why', async () => {
    const [one] = await processes(1, 'day');
    run = () => Promise.reject(new Error('The mail server is away.'));
    await one?.runDue(inFuture(days(1)));
    await one?.runDue(inFuture(days(1) + minutes(4)));
    expect(runs).toBe(1);
    run = () => Promise.resolve();
    await one?.runDue(inFuture(days(1) + minutes(6)));
    expect(runs).toBe(2);
    await one?.runDue(inFuture(days(1) + minutes(12)));
    expect(runs).toBe(2);
    expect(logged).toContainEqual([
      expect.objectContaining({ err: new Error('The mail server is away.') }),
      'scheduled work failed',
    ]);
  });

  test('another process does what one began that was killed', async () => {
    const [killed, other] = await processes(2, 'day');
    run = () => new Promise(() => undefined);
    void killed?.runDue(inFuture(days(1)));
    await expect.poll(() => runs).toBe(1);
    run = () => Promise.resolve();
    await other?.runDue(inFuture(days(1)));
    // It might still be at work.
    expect(runs).toBe(1);
    await other?.runDue(inFuture(days(1) + minutes(2)));
    expect(runs).toBe(2);
  });

  test('a job that is more frequent than before is due earlier', async () => {
    await processes(1, 'week', 'frequent');
    const [one] = await processes(1, 'minute', 'frequent');
    await one?.runDue(inFuture(minutes(1)));
    expect(runs).toBe(1);
  });

  test('a job that the site stops is told, and is due at once for the next process', async () => {
    const [one] = await processes(1, 'day', 'stopped');
    run = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('The site stops.'));
        });
      });
    void one?.runDue(inFuture(days(1)));
    await expect.poll(() => runs).toBe(1);
    await one?.onStop();
    run = () => Promise.resolve();
    const [next] = await processes(1, 'day', 'stopped');
    await next?.runDue(inFuture(days(1)));
    expect(runs).toBe(2);
  });

  test('by itself, a process does what is due when it starts', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] });
    const [early] = await processes(1, 'minute', 'started');
    await early?.onStop();
    await siteStore
      .store<{ scheduled_job: { name: string; due_at: Date } }>()
      .updateTable('scheduled_job')
      .set({ due_at: new Date(0) })
      .where('name', '=', 'started')
      .execute();
    const [one] = await processes(1, 'minute', 'started');
    await expect.poll(() => runs).toBe(1);
    await one?.onStop();
    vi.useRealTimers();
  });
}

describe('with a file', () => {
  suite();
});

describe.skipIf(!hasPostgres)('with PostgreSQL', async () => {
  if (!hasPostgres) return;
  const databases = await postgresDatabases();
  afterAll(() => databases.stop());
  suite(() => databases.newDatabase());
});
