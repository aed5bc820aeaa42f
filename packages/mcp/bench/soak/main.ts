/** Soak test: hours of mixed load at a moderate rate. Memory must not grow, and every response must be correct. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deeds, type Targets } from './load.ts';
import { cancelHalfWay } from './raw-client.ts';
import type { Figures } from './server.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    /** Operations a second, each with a connection and several calls. */
    rate: { type: 'string', default: '5' },
    /** Number of sessions that are opened and cancelled in the middle of a call, before the long load. */
    cancelled: { type: 'string', default: '10000' },
  },
});
const milliseconds = Number(values.minutes) * 60_000;

interface Server {
  readonly name: keyof Targets;
  readonly url: string;
  readonly child: ChildProcess;
}

async function start(name: keyof Targets): Promise<Server> {
  const program = fileURLToPath(new URL('server.ts', import.meta.url));
  const child = fork(program, name === 'sessions' ? ['--sessions'] : [], {
    execArgv: ['--import', 'tsx'],
  });
  const [url] = (await once(child, 'message')) as [string];
  return { name, url, child };
}

async function figuresOf({ child }: Server): Promise<Figures> {
  const report = once(child, 'message') as Promise<[Figures]>;
  child.send('figures');
  return (await report)[0];
}

/** Time limit of an operation. A missing response counts as wrong. */
const deadlineMilliseconds = 45_000;

let done = 0;
const wrong = new Map<string, { count: number; first: string }>();

async function attempt(name: string, deed: () => Promise<void>): Promise<void> {
  const late = new AbortController();
  try {
    await Promise.race([
      deed(),
      wait(deadlineMilliseconds, undefined, { signal: late.signal }).then(() => {
        throw new Error('No answer came in time');
      }),
    ]);
    done += 1;
  } catch (error) {
    const known = wrong.get(name) ?? { count: 0, first: String(error) };
    wrong.set(name, { ...known, count: known.count + 1 });
  } finally {
    late.abort();
  }
}

async function cancelMany(url: string, count: number): Promise<void> {
  let left = count;
  const client = async () => {
    while (left-- > 0) await attempt('sessions cancelled half way', () => cancelHalfWay(url));
  };
  await Promise.all(Array.from({ length: 8 }, client));
}

/** Starts operations at a fixed rate, whether or not earlier ones have ended, so that a slow server gets no rest. */
async function load(targets: Targets, until: number): Promise<void> {
  const running = new Set<Promise<void>>();
  for (let turn = 0; Date.now() < until; turn += 1) {
    const [name, deed] = deeds[turn % deeds.length] ?? ['', () => Promise.resolve()];
    const run = attempt(name, () => deed(targets)).finally(() => running.delete(run));
    running.add(run);
    await wait(1_000 / Number(values.rate));
  }
  await Promise.all(running);
}

const megabytes = (bytes: number) => Number((bytes / 2 ** 20).toFixed(1));

function print(minute: number, name: string, now: Figures): void {
  console.log(
    [
      `${minute.toFixed(1).padStart(6)} min  ${name.padEnd(9)}`,
      `heap ${megabytes(now.heap)} MiB`,
      `rss ${megabytes(now.rss)} MiB`,
      `descriptors ${now.descriptors}`,
      `sessions ${now.sessions}`,
      `cpu ${now.cpuSeconds.toFixed(0)} s`,
      `errors ${now.errors}`,
    ].join('  '),
  );
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Compares the second quarter with the last: the first includes one-time allocations. */
function growth(samples: readonly Figures[], of: keyof Figures): [before: number, after: number] {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const read = (part: readonly Figures[]) => median(part.map((figures) => Number(figures[of])));
  return [read(samples.slice(quarter, 2 * quarter)), read(samples.slice(-quarter))];
}

/** Tolerated growth: the difference that concurrent calls can make, without a trend. */
const allowed = {
  heap: (before: number) => before * 0.05 + 2 ** 20,
  descriptors: () => 15,
  sessions: () => 15,
} as const;

const problems: string[] = [];
const stateless = await start('stateless');
const sessions = await start('sessions');
const servers = [stateless, sessions];
const targets: Targets = { stateless: stateless.url, sessions: sessions.url };

const cancelled = Number(values.cancelled);
if (cancelled > 0) {
  await cancelMany(sessions.url, Math.min(cancelled, 500));
  const before = await figuresOf(sessions);
  await cancelMany(sessions.url, cancelled);
  const after = await figuresOf(sessions);
  console.log(
    `${cancelled} sessions cancelled half way: heap ${megabytes(before.heap)} MiB before, ${megabytes(after.heap)} MiB after; ${after.sessions} sessions held`,
  );
  if (after.heap - before.heap > allowed.heap(before.heap)) {
    problems.push('memory grew by the sessions that were cancelled half way');
  }
  if (after.sessions > 0) problems.push('cancelled sessions are held');
}

const startedAt = Date.now();
const samples = new Map(servers.map(({ name }) => [name, [] as Figures[]]));
const loaded = load(targets, startedAt + milliseconds);
const interval = Math.min(60_000, milliseconds / 20);
for (let next = startedAt + interval; next <= startedAt + milliseconds; next += interval) {
  await wait(Math.max(0, next - Date.now()));
  for (const server of servers) {
    const now = await figuresOf(server);
    samples.get(server.name)?.push(now);
    print((Date.now() - startedAt) / 60_000, server.name, now);
  }
}
await loaded;

for (const [name, figures] of samples) {
  for (const of of Object.keys(allowed) as (keyof typeof allowed)[]) {
    const [before, after] = growth(figures, of);
    const isFlat = after - before <= allowed[of](before);
    console.log(`${name}: ${of} ${before} → ${after}${isFlat ? '' : ', NOT FLAT'}`);
    if (!isFlat) problems.push(`${of} of ${name} grew from ${before} to ${after}`);
  }
  const last = figures.at(-1);
  if (last?.errors) problems.push(`${last.errors} errors in the log: ${last.firstError ?? ''}`);
}
console.log(
  `${done} right, ${[...wrong.values()].reduce((sum, { count }) => sum + count, 0)} wrong`,
);
for (const [name, { count, first }] of wrong) problems.push(`${name}: ${count} wrong: ${first}`);
for (const { child } of servers) child.disconnect();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
