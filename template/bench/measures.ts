/** Shared by the benchmarks: servers, their comparison, measurements of a process, and statistics. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { childEnv, freePort } from '@gatehouse/simulator/programs';
import manifest from '../../package.json' with { type: 'json' };

/** Many short rounds: the machine's speed drifts within seconds, and both sides of a ratio need the same conditions. */
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 24);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 1);
/** Rounds of warm-up, until V8 has optimized the hot code: a page reaches full speed after some 10,000 requests. */
const warmUp = Number(process.env['BENCH_WARM_UP'] ?? 18);
const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 32);

/** The arguments that `npm start` passes to node. */
export const startArguments = manifest.scripts.start.replace(/^exec node /, '').split(' ');

export const remixServe = ['node_modules/.bin/remix-serve', 'build/server/index.js'];

export interface Server {
  name: string;
  url: string;
  child: ChildProcess;
  stop: () => Promise<void>;
}

const running = new Set<Server>();

/** Starts a server on a free port, with the settings of a site, and waits until it responds. */
export async function startServer(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, args, {
    // Logging costs what it does in production, and its output is discarded.
    stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit'],
    env: childEnv({
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      SITE_ORIGIN: url,
      PLATFORM_FRAME_ANCESTORS: 'https://platform.example',
      AUTH_SECRET: 'a key that is good for this benchmark and nothing else',
      SMTP_URL: 'off',
      ...env,
    }),
  });
  const gone = once(child, 'exit');
  const server: Server = {
    name,
    url,
    child,
    async stop() {
      running.delete(server);
      // Without the delay that SIGTERM gives to load balancers.
      child.kill('SIGINT');
      await gone;
    },
  };
  running.add(server);
  for (let attempt = 0; attempt < 600; attempt++) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) return server;
    await pause(100);
  }
  throw new Error(`${name} does not respond. Has the site been built? Run npm run build`);
}

export async function stopServers(): Promise<void> {
  await Promise.all(Array.from(running, (server) => server.stop()));
}

/**
 * Loads the servers in turn, and prints medians, and ratios to the others.
 *
 * @returns the ratio of two servers' request rates.
 */
export async function compare(
  path: string,
  servers: readonly Server[],
  headers: Record<string, string> = {},
): Promise<(server: string, over: string) => number> {
  const results = servers.map((server) => {
    const none: number[] = [];
    return { ...server, rate: [...none], p99: [...none], cpu: [...none] };
  });
  // Interleaved, so that other load on the machine affects all servers alike. The warm-up too: of two identical
  // servers, the one that was warmed up first, all at once, stayed 10 % faster.
  for (let round = -warmUp; round < rounds; round++) {
    for (const { name, url, child, rate, p99, cpu } of ordered(round, results)) {
      const before = cpuTimeOf(child.pid);
      const load = await autocannon({ url: url + path, connections, duration: seconds, headers });
      const failed = load.non2xx - (headers['if-none-match'] ? load['3xx'] : 0);
      if (failed + load.errors > 0) {
        throw new Error(`${name} ${path}: ${failed} failed responses, ${load.errors} errors`);
      }
      if (round < 0) continue;
      rate.push(load.requests.average);
      p99.push(load.latency.p99);
      cpu.push((cpuTimeOf(child.pid) - before) / load.requests.total);
    }
  }
  const ratesOf = (name: string) => results.find((result) => result.name === name)?.rate ?? [];
  // The ratio within each round: other load on the machine changes between rounds.
  const ratio = (name: string, over: string) =>
    median(ratesOf(name).map((rate, round) => rate / (ratesOf(over)[round] ?? Number.NaN)));
  const list = Object.entries(headers).map(([name, value]) => `, ${name}: ${value}`);
  console.log(
    `\nGET ${path}${list.join('')}, ${connections} connections, median of ${rounds} × ${seconds} s`,
  );
  console.table(
    Object.fromEntries(
      results.map(({ name, rate, p99, cpu }) => [
        name,
        {
          'requests/s': Math.round(median(rate)),
          'p99 ms': median(p99),
          'CPU ms each': median(cpu).toFixed(3),
          ...Object.fromEntries(
            results
              .filter((other) => other.name !== 'site')
              .map((other) => [`× ${other.name}`, ratio(name, other.name).toFixed(2)]),
          ),
        },
      ]),
    ),
  );
  return ratio;
}

/** Cycles through all orders: a server measured right after `remix-serve`, or after itself, is some 5 % slower. */
function ordered<T>(round: number, all: readonly T[]): T[] {
  const first = (Math.floor(round / 2) + warmUp * all.length) % all.length;
  const order = [...all.slice(first), ...all.slice(0, first)];
  return round % 2 === 0 ? order : order.toReversed();
}

/**
 * CPU time that a process has used, in milliseconds. Less sensitive than the request rate to other load on the
 * machine. Linux only (proc(5), in ticks of 10 ms); NaN elsewhere.
 */
export function cpuTimeOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return Number.NaN;
  }
}

/** The current resident set size of a process, in megabytes. Linux only; NaN elsewhere. */
export function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** @param share which fraction of the values is smaller than the result, from 0 to below 1. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
