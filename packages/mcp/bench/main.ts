/**
 * `npm run bench -w mcp-server`: measures this server, its peers and a baseline ("floor"), interleaved in one run.
 * Prints medians and ratios, and does not pass or fail. Loopback only.
 *
 * The first run installs the peers into their folders in `bench/peers/` from their lock files. They are not
 * dependencies of the project. A peer that cannot be installed or started is reported as absent.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer, type AddressInfo } from 'node:net';
import autocannon from 'autocannon';
import { measureHostileInput } from './hostile-input.ts';
import { build } from '../test/programs/built-programs.ts';
import { installPeers } from './peers.ts';
import { measureSessions } from './sessions.ts';

/** Many short rounds: the machine's speed drifts within seconds, and both sides of a ratio need the same conditions. */
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 8);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 1);
/** Rounds of warm-up, until V8 has optimized the hot code. */
const warmUp = Number(process.env['BENCH_WARM_UP'] ?? 6);
const connections = (process.env['BENCH_CONNECTIONS'] ?? '1,16,64').split(',').map(Number);
const toolCounts = [1, 100];

type Method = 'tools/call' | 'tools/list';

interface Target {
  name: string;
  program: string;
  /** The revision of the requests that it receives: the fastest that it supports. */
  revision: '2025-11-25' | '2026-07-28';
  /** Its folder in `bench/peers/`, if it is installed from there. */
  peer?: string;
}

let targets: Target[] = [
  { name: 'floor', program: 'peers/floor.mjs', revision: '2025-11-25' },
  { name: 'gatehouse', program: 'gatehouse.ts', revision: '2025-11-25' },
  { name: 'gatehouse, modern', program: 'gatehouse.ts', revision: '2026-07-28' },
  { name: 'sdk 1.x', program: 'peers/sdk-v1/server.mjs', revision: '2025-11-25', peer: 'sdk-v1' },
  { name: 'sdk 2.x', program: 'peers/sdk-v2/server.mjs', revision: '2026-07-28', peer: 'sdk-v2' },
  { name: 'fastmcp', program: 'peers/fastmcp/server.mjs', revision: '2025-11-25', peer: 'fastmcp' },
];

/** The target relative to the floor. */
const aim = { method: 'tools/call', connections: 16, ratio: 0.8 };

/** The programs' log with one line for each call, written as in production. */
const logFile = fileURLToPath(new URL('../.cache/bench.log', import.meta.url));
mkdirSync(new URL('../.cache', import.meta.url), { recursive: true });
const log = openSync(logFile, 'w');

const children: ChildProcess[] = [];
await build();
try {
  const { absent } = await installPeers(targets.flatMap(({ peer }) => peer ?? []));
  for (const [peer, reason] of absent) leaveOut(peer, reason);
  await main();
} finally {
  for (const child of children) child.kill('SIGTERM');
}

async function main(): Promise<void> {
  const upstream = await run('upstream.mjs', {});
  for (const tools of toolCounts) {
    const urls = new Map<string, string>();
    for (const { name, program, peer } of targets) {
      try {
        urls.set(name, `${await run(program, { UPSTREAM: upstream, TOOLS: String(tools) })}/mcp`);
      } catch (error) {
        if (peer === undefined) throw error;
        leaveOut(peer, error instanceof Error ? error.message : 'unknown');
      }
    }
    for (const method of ['tools/call', 'tools/list'] as const) {
      for (const count of connections) {
        const results = await race(urls, method, count);
        console.log(`\n${method}, ${tools} tools, ${count} connections`);
        report(results, method, count);
      }
    }
  }
  await measureSessions(async (env) => {
    const url = await run('gatehouse.ts', { UPSTREAM: upstream, TOOLS: '1', ...env });
    const child = children.at(-1);
    if (!child) throw new Error('No server was started');
    return { url: `${url}/mcp`, child };
  });
  await measureHostileInput(`${await run('gatehouse.ts', { UPSTREAM: upstream, TOOLS: '1' })}/mcp`);
}

function leaveOut(peer: string, reason: string): void {
  targets = targets.filter((target) => target.peer !== peer);
  console.log(`Absent: ${peer} (${reason})`);
}

type Results = Map<string, { rate: number[]; p99: number[] }>;

/**
 * Interleaved, so that other load on the machine affects all targets equally. The warm-up too: of two identical
 * servers, the one that was warmed up first, all at once, stayed 10 % faster.
 */
async function race(urls: Map<string, string>, method: Method, count: number): Promise<Results> {
  const results: Results = new Map();
  for (let round = -warmUp; round < rounds; round++) {
    for (const { name, revision } of round % 2 === 0 ? targets : targets.toReversed()) {
      const { requests, latency } = await load(urls, name, revision, method, count);
      if (round < 0) continue;
      const result = results.get(name) ?? { rate: [], p99: [] };
      result.rate.push(requests.average);
      result.p99.push(latency.p99);
      results.set(name, result);
    }
  }
  return results;
}

async function load(
  urls: ReadonlyMap<string, string>,
  name: string,
  revision: Target['revision'],
  method: Method,
  count: number,
): Promise<autocannon.Result> {
  const url = urls.get(name) ?? '';
  const result = await autocannon({
    ...requestOf(method, revision),
    url,
    connections: count,
    duration: seconds,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${name}: ${result.non2xx} answers not 2xx, ${result.errors} errors`);
  }
  return result;
}

function requestOf(method: Method, revision: Target['revision']) {
  const modern = revision === '2026-07-28';
  const tool = method === 'tools/call' && 'probe_search_users';
  const params = {
    ...(tool && { name: tool, arguments: { query: 'person', limit: 20 } }),
    ...(modern && {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }),
  };
  return {
    method: 'POST' as const,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer bench-bench-bench-bench-bench-bench',
      'mcp-protocol-version': revision,
      ...(modern && { 'mcp-method': method, ...(tool && { 'mcp-name': tool }) }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  };
}

function report(results: Results, method: Method, count: number): void {
  // The ratio within each round: other load on the machine changes between rounds.
  const ratio = (name: string, over: string) => {
    const rates = results.get(over)?.rate ?? [];
    return median((results.get(name)?.rate ?? []).map((rate, round) => rate / (rates[round] ?? 0)));
  };
  console.table(
    Object.fromEntries(
      [...results].map(([name, { rate, p99 }]) => [
        name,
        {
          'requests/s': Math.round(median(rate)),
          'p99 ms': median(p99),
          '× floor': ratio(name, 'floor').toFixed(2),
        },
      ]),
    ),
  );
  const peers = targets.map(({ name }) => name).filter((name) => !/floor|gatehouse/.test(name));
  const behind = peers.filter((name) => ratio(name, 'gatehouse') >= 1);
  console.log(behind.length === 0 ? 'Ahead of every peer' : `Behind ${behind.join(', ')}`);
  if (method === aim.method && count === aim.connections) {
    const reached = ratio('gatehouse', 'floor');
    const verdict = reached >= aim.ratio ? 'reached' : 'missed';
    console.log(`gatehouse / floor: ${reached.toFixed(3)}, target ${aim.ratio}: ${verdict}`);
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Starts a program on a free port, waits until it responds, and returns its URL. */
async function run(program: string, env: Record<string, string>): Promise<string> {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), {
    execArgv: ['--expose-gc', ...(program.endsWith('.ts') ? ['--import', 'tsx'] : [])],
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', log, 'ipc'],
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 300 && child.exitCode === null; attempt++) {
    try {
      await fetch(`${url}/healthz`);
      return url;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`${program} does not answer: see ${logFile}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
