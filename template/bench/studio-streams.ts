/** The memory and CPU cost of many open event streams, and how long a change takes to reach each of them. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuTimeOf, median, memoryOf, quantile, type Server } from './measures';

export const streams = Number(process.env['BENCH_STREAMS'] ?? 1_000);
/** How many changes the platform sends to all of the streams. */
const changes = 10;

/**
 * Node.js arguments that make the site collect garbage on SIGUSR2. Otherwise its memory would depend on when V8 last
 * collected, rather than on what the streams need.
 */
export const collecting = [
  '--expose-gc',
  '--import',
  // Three collections: an object with a finalizer is freed only by a collection after the one that finalized it.
  'data:text/javascript,process.on("SIGUSR2",()=>{gc();gc();setTimeout(gc,300)})',
];

/** @param platform the platform's URL, to which changes are posted. */
export async function reportStreams({ url, child }: Server, platform: string): Promise<void> {
  // Warm-up: compiles the code on both ends and makes their initial allocations.
  closeAll(await openStreams(url, 100));
  const before = await collectedMemory(child);
  const rows: Record<string, { MB: string; 'kB each': string }> = {};
  const row = async (name: string, isOpen = true) => {
    const now = await collectedMemory(child);
    const each = ((now - before) * 1_024) / streams;
    rows[name] = { MB: now.toFixed(0), 'kB each': isOpen ? each.toFixed(0) : '' };
  };
  await row('before', false);
  const open = await openStreams(url, streams);
  await row('opened');

  const quiet = 10_000;
  const usedBefore = cpuTimeOf(child.pid);
  await pause(quiet);
  const used = cpuTimeOf(child.pid) - usedBefore;

  const delays = await sendChanges(open, platform);
  await row(`after ${changes} changes`);
  closeAll(open);
  await row('closed', false);
  // A leak in closed streams would show as a higher number the second time.
  const again = await openStreams(url, streams);
  await row('opened again');
  closeAll(again);
  await row('closed again', false);

  console.log(
    `\nResident memory of the site after garbage collection, with ${streams} event streams, each in its own ` +
      `workspace; while nothing changes they use ${((used / quiet) * 100).toFixed(1)} % of a core`,
  );
  console.table(rows);
  const all = delays.flat();
  const lasts = delays.map((each) => Math.max(...each));
  console.log(
    `Delay from the platform's change to the visitor, ms: median ${median(all)}, p99 ${quantile(all, 0.99)}, ` +
      `max ${Math.max(...all)}; until all ${streams} have it, median ${median(lasts)}. The site polls once a second.`,
  );
}

/** Resident memory in MB, once closed connections have been released and garbage has been collected. */
async function collectedMemory({ pid }: Server['child']): Promise<number> {
  await pause(1_500);
  // The platforms on which memory cannot be read may lack SIGUSR2, too.
  if (pid === undefined || Number.isNaN(memoryOf(pid))) return Number.NaN;
  process.kill(pid, 'SIGUSR2');
  await pause(1_000);
  return memoryOf(pid);
}

/** @returns for each change, the delay in milliseconds until each stream received it. */
async function sendChanges(open: IncomingMessage[], platform: string): Promise<number[][]> {
  const delays: number[][] = [];
  for (let change = 0; change < changes; change++) {
    const received = Promise.all(open.map(nextChange));
    const response = await fetch(`${platform}/change`, { method: 'POST' });
    const { at } = (await response.json()) as { at: number };
    delays.push((await received).map((time) => time - at));
  }
  return delays;
}

/**
 * Opens streams in separate workspaces, each with one running job. Their start is staggered, as with real visitors:
 * otherwise the site's once-a-second work for each stream would fall on the same moment for all of them.
 */
async function openStreams(url: string, count: number): Promise<IncomingMessage[]> {
  const openOne = async (_: unknown, at: number) => {
    await pause(at * 5);
    const outgoing = get(`${url}/api/generations/events?workspace=w${at}`, { agent: false });
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200)
      throw new Error(`The event stream responded with ${response.statusCode}.`);
    response.setEncoding('utf8');
    // The first event is the job that already runs.
    await nextChange(response);
    return response;
  };
  return Promise.all(Array.from({ length: count }, openOne));
}

/** Resolves to the time of the next `generation` event, in milliseconds since the epoch. */
function nextChange(response: IncomingMessage): Promise<number> {
  return new Promise((resolve, reject) => {
    const onClose = () => {
      reject(new Error('A stream ended.'));
    };
    const onData = (text: string) => {
      if (!text.includes('event: generation')) return;
      response.off('data', onData).off('close', onClose);
      resolve(Date.now());
    };
    response.on('data', onData).once('close', onClose);
  });
}

function closeAll(open: IncomingMessage[]): void {
  for (const response of open) response.destroy();
}
