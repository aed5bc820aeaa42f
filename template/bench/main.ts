/**
 * `npm run bench`: compares the built site with the floor and with `remix-serve`, interleaved in one run. Prints
 * medians, and the median of the per-round ratios. It never fails on a result. Loopback only.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import autocannon from 'autocannon';
import { freePort } from '@gatehouse/simulator/programs';
import { cpuTimeOf, median, startArguments } from './measures';

/** Many short rounds: the machine's speed drifts within seconds, and both sides of a ratio need the same conditions. */
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 24);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 1);
/** Rounds of warm-up, until V8 has optimized the hot code: a page reaches full speed after some 10,000 requests. */
const warmUp = Number(process.env['BENCH_WARM_UP'] ?? 18);
const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 32);

interface Target {
  name: string;
  args: string[];
}

const targets: Target[] = [
  { name: 'floor', args: ['template/bench/floor.mjs'] },
  { name: 'site', args: startArguments },
  { name: 'remix-serve', args: ['node_modules/.bin/remix-serve', 'build/server/index.js'] },
  { name: 'late page', args: ['--import', 'tsx', 'template/bench/late-page.tsx'] },
];

type Results = Map<string, { rate: number[]; p99: number[]; cpu: number[] }>;

interface Scenario {
  path: string;
  headers?: Record<string, string>;
  against: string[];
  /** The minimum ratio of the site's request rate to that of the server `over`. */
  targets: { over: string; ratio: number }[];
}

/** The floor is measured only on `/api/user`: it has no page to compare. */
const scenarios: Scenario[] = [
  {
    path: '/api/user',
    against: ['floor', 'site', 'remix-serve'],
    targets: [{ over: 'floor', ratio: 0.9 }],
  },
  {
    path: '/',
    against: ['site', 'remix-serve'],
    targets: [{ over: 'remix-serve', ratio: 1.4 }],
  },
  // With the Accept-Encoding of a browser, so that both servers compress.
  {
    path: '/',
    headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
    against: ['site', 'remix-serve'],
    targets: [{ over: 'remix-serve', ratio: 1.5 }],
  },
];

const children = new Map<string, ChildProcess>();
try {
  await main();
} finally {
  for (const child of children.values()) child.kill('SIGTERM');
}

async function main(): Promise<void> {
  const upstream = await run('upstream', ['template/bench/upstream.mjs'], {});
  const urls = new Map<string, string>();
  for (const { name, args } of targets) {
    urls.set(name, await run(name, args, { PLATFORM_INTERNAL_URL: upstream }));
  }

  for (const scenario of scenarios) {
    const { path, headers = {}, against } = scenario;
    const results: Results = new Map();
    // Interleaved, so that other load on the machine affects all servers alike. The warm-up too: of two identical
    // servers, the one that was warmed up first, all at once, stayed 10 % faster.
    for (let round = -warmUp; round < rounds; round++) {
      for (const name of ordered(round, against)) {
        const url = `${urls.get(name) ?? ''}${path}`;
        const before = cpuTimeOf(children.get(name)?.pid);
        const load = await autocannon({ url, connections, duration: seconds, headers });
        if (load.non2xx > 0 || load.errors > 0) {
          throw new Error(
            `${name} ${path}: ${load.non2xx} non-2xx responses, ${load.errors} errors`,
          );
        }
        if (round < 0) continue;
        const result = results.get(name) ?? { rate: [], p99: [], cpu: [] };
        result.rate.push(load.requests.average);
        result.p99.push(load.latency.p99);
        const used = cpuTimeOf(children.get(name)?.pid) - before;
        result.cpu.push(used / load.requests.total);
        results.set(name, result);
      }
    }
    report(scenario, results);
  }
  await reportLatePage(urls);
  await reportWeight(urls.get('site') ?? '');
}

/** Cycles through all orders: a server measured right after `remix-serve`, or after itself, is some 5 % slower. */
function ordered(round: number, names: string[]): string[] {
  const first = (Math.floor(round / 2) + warmUp * names.length) % names.length;
  const order = [...names.slice(first), ...names.slice(0, first)];
  return round % 2 === 0 ? order : order.toReversed();
}

function report({ path, headers = {}, targets: aims }: Scenario, results: Results): void {
  // The ratio within each round: other load on the machine changes between rounds.
  const ratio = (name: string, over: string) => {
    const rates = results.get(over)?.rate ?? [];
    return median((results.get(name)?.rate ?? []).map((rate, round) => rate / (rates[round] ?? 0)));
  };
  const headerList = Object.entries(headers).map(([name, value]) => `, ${name}: ${value}`);
  console.log(
    `\nGET ${path}${headerList.join('')}, ${connections} connections, median of ${rounds} × ${seconds} s`,
  );
  console.table(
    Object.fromEntries(
      [...results].map(([name, { rate, p99, cpu }]) => [
        name,
        {
          'requests/s': Math.round(median(rate)),
          'p99 ms': median(p99),
          'CPU ms each': median(cpu).toFixed(3),
          ...(results.has('floor') && { '× floor': ratio(name, 'floor').toFixed(2) }),
          '× remix-serve': ratio(name, 'remix-serve').toFixed(2),
        },
      ]),
    ),
  );
  for (const { over, ratio: target } of aims) {
    const reached = ratio('site', over);
    const verdict = reached >= target ? 'reached' : 'missed';
    console.log(`site / ${over}: ${reached.toFixed(3)}, target ${target}: ${verdict}`);
  }
}

/** Reports the time to the shell of a page whose deferred data resolves after a second. */
async function reportLatePage(urls: Map<string, string>): Promise<void> {
  console.log('\nTime to the shell of a page with data deferred by 1,000 ms, median of 15');
  const rows: [string, string, string][] = [
    ['floor', 'floor', 'identity'],
    ...['identity', 'gzip', 'br'].map((encoding): [string, string, string] => [
      `site, ${encoding}`,
      'late page',
      encoding,
    ]),
  ];
  const waits = new Map(rows.map(([row]) => [row, [] as number[]]));
  for (let round = 0; round < 15; round++) {
    for (const [row, name, encoding] of rows) {
      waits.get(row)?.push(await timeToShell(urls.get(name) ?? '', encoding));
    }
  }
  console.table(
    Object.fromEntries([...waits].map(([row, ms]) => [row, { ms: median(ms).toFixed(1) }])),
  );
}

/** Milliseconds until the decoded shell has been read. The rest of the body is cancelled. */
async function timeToShell(url: string, encoding: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, { headers: { 'accept-encoding': encoding } });
  const body = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  while (body && !received.includes('the shell')) {
    const { done, value } = await body.read();
    if (done) throw new Error(`${url} responded with ${response.status} and no shell.`);
    received += value;
  }
  const waited = performance.now() - began;
  await body?.cancel();
  return waited;
}

/** Reports the gzipped size of the scripts that the home page loads. */
async function reportWeight(site: string): Promise<void> {
  const page = await (await fetch(site)).text();
  const scripts = new Set(page.match(/\/assets\/[\w.-]+\.js/g));
  let bytes = 0;
  for (const script of scripts) {
    bytes += gzipSync(await (await fetch(site + script)).arrayBuffer()).length;
  }
  console.log(`\nScripts of the home page: ${scripts.size}, ${bytes} bytes gzipped`);
}

/** Starts a server on a free port, waits until it responds, and returns its URL. */
async function run(name: string, args: string[], env: Record<string, string>): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, args, {
    // Logging costs what it does in production, and its output is discarded.
    stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      SITE_ORIGIN: url,
      PLATFORM_FRAME_ANCESTORS: 'https://platform.example',
      AUTH_SECRET: 'a key that is good for this benchmark and nothing else',
      SMTP_URL: 'off',
      ...env,
    },
  });
  children.set(name, child);
  child.once('exit', (code) => {
    if (code) console.error(`${name} exited with code ${code}`);
  });
  for (let attempt = 0; attempt < 100; attempt++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return url;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${name} does not respond. Has the site been built? Run npm run build`);
}
