/**
 * Work that a product does every hour or every day. Each job has a row in the store; whoever claims the row does the work, so that it is
 * done once, however many processes the site has.
 */
import type { Kysely } from 'kysely';
import { columnsOf, newId, readTimestamp, type Timestamp } from '../columns.ts';
import type { Migrations } from '../migrate.ts';
import { storeTime } from '../store-time.ts';
import type { SiteStore } from '../store.ts';
import { isStoreUnavailable } from '../unavailable.ts';
import { nextTime, type Interval } from './next-time.ts';

export interface ScheduledJob {
  /** A row has this name: another name is another job. */
  name: string;
  /** At the beginning of each, in UTC. */
  every: Interval;
  /**
   * Does the work. If it fails, or its process is killed, it is done again: what it did before must do no harm then.
   *
   * @param run `due`: since when it is due. Earlier times that were missed are not made up one by one. `signal` is aborted when the
   *   site stops.
   */
  run: (run: { due: Date; signal: AbortSignal }) => Promise<unknown>;
}

interface ScheduleTables {
  scheduled_job: {
    name: string;
    /** When to do it; while somebody does it, until when it is theirs. */
    due_at: Timestamp;
    /** Of whoever does it. */
    claim: string | null;
  };
}

/** The table of the schedule, for the site's migrations. */
export const scheduleMigrations: Migrations = {
  '2026_11_29_schedule': {
    async up(db) {
      const { id, timestamp } = columnsOf(db);
      await db.schema
        .createTable('scheduled_job')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('due_at', timestamp, (column) => column.notNull())
        .addColumn('claim', id)
        .execute();
    },
  },
};

export interface ScheduleOptions {
  store: SiteStore['store'];
  jobs: readonly ScheduledJob[];
  log: {
    info: (fields: object, message: string) => void;
    error: (fields: object, message: string) => void;
  };
}

const second = 1_000;

/** How often a process looks for jobs that are due. */
const round = 5 * second;

/** For how long a claim holds unless it is renewed: its process may have been killed. */
const lease = 60 * second;

/** When a job that failed is tried again. */
const retryAfter = 5 * 60 * second;

/** Milliseconds for jobs to end when the site stops. */
const patience = 10 * second;

/** The schedule of a product: `onStart` and `onStop` are those of its feature. */
export function defineSchedule({ store, jobs, log }: ScheduleOptions) {
  const db = () => store<ScheduleTables>();
  const running = new Map<string, Promise<void>>();
  let ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  /** @param now for tests, which move it. */
  async function runDue(now?: Date): Promise<void> {
    const time = now ?? (await storeTime(db()));
    const begun = [];
    for (const job of jobs) {
      if (ending.signal.aborted || running.has(job.name)) continue;
      const claim = await claimed(db(), job, time);
      if (claim) begun.push(begin(job, claim, time));
    }
    await Promise.all(begun);
  }

  function begin(job: ScheduledJob, claim: Claim, now: Date): Promise<void> {
    const run = perform(job, claim, now).finally(() => running.delete(job.name));
    running.set(job.name, run);
    return run;
  }

  async function perform(job: ScheduledJob, { id, due }: Claim, now: Date): Promise<void> {
    const { name } = job;
    const own = () =>
      db().updateTable('scheduled_job').where('name', '=', name).where('claim', '=', id);
    const renewal = setInterval(() => {
      const renewed = async () =>
        own()
          .set({ due_at: later(await storeTime(db()), lease) })
          .execute();
      renewed().catch(logged);
    }, lease / 3).unref();
    const began = performance.now();
    let next = nextTime(job.every, now);
    try {
      log.info({ job: name, due }, 'scheduled work begins');
      await job.run({ due, signal: ending.signal });
      log.info(
        { job: name, milliseconds: Math.round(performance.now() - began) },
        'scheduled work is done',
      );
    } catch (error) {
      const again = ending.signal.aborted ? now : later(now, retryAfter);
      if (again < next) next = again;
      log.error({ err: error, job: name, next }, 'scheduled work failed');
    } finally {
      clearInterval(renewal);
    }
    await own().set({ due_at: next, claim: null }).execute();
  }

  const logged = (error: unknown) => {
    // The next round finds what is due, and requests log that the store is away.
    if (!isStoreUnavailable(error)) log.error({ err: error }, 'the schedule failed');
  };

  return {
    runDue,
    /** Once the store is open. */
    async onStart() {
      ending = new AbortController();
      await addRows(db(), jobs);
      const look = () => void runDue().catch(logged);
      timer = setInterval(look, round).unref();
      look();
    },
    /** Before the store is closed. */
    async onStop() {
      clearInterval(timer);
      ending.abort();
      let late: NodeJS.Timeout | undefined;
      const ended = Promise.allSettled(running.values());
      await Promise.race([ended, new Promise((resolve) => (late = setTimeout(resolve, patience)))]);
      clearTimeout(late);
    },
  };
}

/** A job that is new is due at its next time; one that is more frequent than before, too. */
async function addRows(db: Kysely<ScheduleTables>, jobs: readonly ScheduledJob[]): Promise<void> {
  const now = await storeTime(db);
  for (const { name, every } of jobs) {
    const row = { name, due_at: nextTime(every, now), claim: null };
    const insert = db.insertInto('scheduled_job').values(row);
    await insert.onConflict((conflict) => conflict.column('name').doNothing()).execute();
    await db
      .updateTable('scheduled_job')
      .set({ due_at: row.due_at })
      .where('name', '=', name)
      .where('claim', 'is', null)
      .where('due_at', '>', row.due_at)
      .execute();
  }
}

interface Claim {
  id: string;
  due: Date;
}

async function claimed(
  db: Kysely<ScheduleTables>,
  { name }: ScheduledJob,
  now: Date,
): Promise<Claim | null> {
  const due = await db
    .selectFrom('scheduled_job')
    .select('due_at')
    .where('name', '=', name)
    .where('due_at', '<=', now)
    .executeTakeFirst();
  if (!due) return null;
  const id = newId();
  const { numUpdatedRows } = await db
    .updateTable('scheduled_job')
    .set({ due_at: later(now, lease), claim: id })
    .where('name', '=', name)
    // Another process that claimed it meanwhile has moved it on.
    .where('due_at', '<=', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? { id, due: readTimestamp(due.due_at) } : null;
}

const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);
