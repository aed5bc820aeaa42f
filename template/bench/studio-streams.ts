/** Many who wait for something: what an open stream of events costs the site, and how soon each hears what has changed. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Site } from '../../e2e/harness/programs/site-process';
import { cpuTimeOf, median, memoryOf, quantile } from './measures';

export const streams = Number(process.env['BENCH_STREAMS'] ?? 1_000);
/** How often the platform tells all of them something new. */
const changes = 10;

/**
 * Has the site collect its garbage when it is told to. Its memory would say otherwise when it last did, and not what
 * streams take.
 */
export const collecting = [
  '--expose-gc',
  '--import',
  // What a first collection finalizes, a later one frees.
  'data:text/javascript,process.on("SIGUSR2",()=>{gc();gc();setTimeout(gc,300)})',
];

/** @param platform where to say that something has changed. */
export async function reportStreams({ url, child }: Site, platform: string): Promise<void> {
  // Both ends' code is compiled, and their first memory taken.
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

  const delays = await tellAll(open, platform);
  await row(`after ${changes} changes`);
  closeAll(open);
  await row('closed', false);
  // What is kept of a stream that is closed would add to these.
  const again = await openStreams(url, streams);
  await row('opened again');
  closeAll(again);
  await row('closed again', false);

  console.log(
    `\nResident memory of the site, garbage collected, with ${streams} streams of events, each in a workspace of its ` +
      `own; while nothing changes they take ${((used / quiet) * 100).toFixed(1)} % of a core`,
  );
  console.table(rows);
  const all = delays.flat();
  const lasts = delays.map((each) => Math.max(...each));
  console.log(
    `From the platform's change to the visitor, ms: median ${median(all)}, p99 ${quantile(all, 0.99)}, ` +
      `max ${Math.max(...all)}; until all ${streams} have it, median ${median(lasts)}. The site looks once a second.`,
  );
}

/** Resident, once what is closed has been let go, and collected. */
async function collectedMemory({ pid }: Site['child']): Promise<number> {
  await pause(1_500);
  // Where memory cannot be read, there may be no such signal either.
  if (pid === undefined || Number.isNaN(memoryOf(pid))) return Number.NaN;
  process.kill(pid, 'SIGUSR2');
  await pause(1_000);
  return memoryOf(pid);
}

/** @returns for each change, the milliseconds until each has heard of it. */
async function tellAll(open: IncomingMessage[], platform: string): Promise<number[][]> {
  const delays: number[][] = [];
  for (let change = 0; change < changes; change++) {
    const heard = Promise.all(open.map(nextChange));
    const answer = await fetch(`${platform}/change`, { method: 'POST' });
    const { at } = (await answer.json()) as { at: number };
    delays.push((await heard).map((time) => time - at));
  }
  return delays;
}

/**
 * Each in a workspace of its own, where one job runs. One after the other, as people come: what the site does for a
 * stream once a second would fall on the same moment for all who came at once.
 */
async function openStreams(url: string, count: number): Promise<IncomingMessage[]> {
  const openOne = async (_: unknown, at: number) => {
    await pause(at * 5);
    const outgoing = get(`${url}/api/generations/events?workspace=w${at}`, { agent: false });
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`A stream is ${response.statusCode}.`);
    response.setEncoding('utf8');
    // What is on its way as it begins.
    await nextChange(response);
    return response;
  };
  return Promise.all(Array.from({ length: count }, openOne));
}

/** When the next word of a generation has come, in milliseconds since the epoch. */
function nextChange(response: IncomingMessage): Promise<number> {
  return new Promise((resolve, reject) => {
    const lost = () => {
      reject(new Error('A stream ended.'));
    };
    const hear = (text: string) => {
      if (!text.includes('event: generation')) return;
      response.off('data', hear).off('close', lost);
      resolve(Date.now());
    };
    response.on('data', hear).once('close', lost);
  });
}

function closeAll(open: IncomingMessage[]): void {
  for (const response of open) response.destroy();
}
