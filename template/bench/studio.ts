/**
 * `npm run bench`, third part: what the platform's SDK and the studio cost the built site. It measures uploads, the
 * feed, open tabs and event streams, and never fails on a result. Loopback only.
 *
 * Except for the tabs, the site runs against a bare platform and without the simulator's preload, so that only the
 * site itself is measured.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import autocannon from 'autocannon';
import { uploadMaxBytes } from '~/platform/media/media';
import {
  childEnv,
  freePort,
  startProgram,
  type Program,
  startSite,
  type Site,
  type SiteOptions,
} from '@gatehouse/simulator/programs';
import { cpuTimeOf, median, memoryOf, startArguments } from './measures';
import { collecting, reportStreams, streams } from './studio-streams';
import { reportTabs } from './studio-tabs';

const uploads = Number(process.env['BENCH_UPLOADS'] ?? 50);
const uploadsAtOnce = 10;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 8);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 1);
const warmUp = Number(process.env['BENCH_WARM_UP'] ?? 4);
const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 32);

const megabyte = 1024 * 1024;
const chunk = randomBytes(64 * 1024);

const platformPort = await freePort();
const platform = `http://127.0.0.1:${platformPort}`;
const upstream = await startProgram({
  name: 'The bare platform',
  arguments: ['--import', 'tsx', 'template/bench/studio-upstream.ts'],
  env: childEnv({ PORT: String(platformPort), UPLOAD_SHA256: digestOfFilm() }),
  ready: { url: platform, statuses: [200] },
});
try {
  await withSite(reportUploads);
  await withSite(reportFeed);
  // Twice as many: a batch of streams opens while connections of the one before may not have closed yet.
  const env = { MAX_CONNECTIONS: String(2 * streams) };
  const options = { env, nodeArguments: collecting };
  await withSite((site) => reportStreams(site, platform), options);
} finally {
  await upstream.stop();
}
await reportTabs();

async function withSite(
  measure: (site: Site) => Promise<void>,
  { env = {}, nodeArguments = [] }: Pick<SiteOptions, 'env' | 'nodeArguments'> = {},
): Promise<void> {
  const port = await freePort();
  const site = await startSite({
    port,
    internalUrl: platform,
    siteOrigin: `http://127.0.0.1:${port}`,
    frameAncestors: 'https://platform.example',
    preload: false,
    nodeArguments: [...startArguments.slice(0, -1), ...nodeArguments],
    entry: startArguments.at(-1) ?? '',
    env,
  });
  try {
    await measure(site);
  } finally {
    await site.stop();
  }
}

/** Reports the site's memory while it relays concurrent uploads of the maximum size. */
async function reportUploads({ url, child }: Site): Promise<void> {
  let peak = 0;
  const memory = () => {
    const now = memoryOf(child.pid);
    peak = Math.max(peak, now);
    return now;
  };
  const sampling = setInterval(memory, 50);
  const rows: Record<string, Record<string, string>> = {};
  const row = (name: string, rate?: number) => {
    rows[name] = {
      'MB/s': rate?.toFixed(0) ?? '',
      'peak MB': peak.toFixed(0),
      'MB after': memory().toFixed(0),
    };
  };
  memory();
  row('before');
  const began = performance.now();
  const usedBefore = cpuTimeOf(child.pid);
  for (let done = 0; done < uploads; done += uploadsAtOnce) {
    const count = Math.min(uploadsAtOnce, uploads - done);
    const start = performance.now();
    peak = 0;
    await Promise.all(Array.from({ length: count }, () => upload(url)));
    const rate = (count * uploadMaxBytes) / megabyte / ((performance.now() - start) / 1_000);
    row(`uploads ${done + 1} to ${done + count}`, rate);
  }
  const took = (performance.now() - began) / 1_000;
  const used = (cpuTimeOf(child.pid) - usedBefore) / uploads;
  clearInterval(sampling);
  const size = uploadMaxBytes / megabyte;
  console.log(
    `\nResident memory of the site while it relays ${uploads} uploads of ${size} MB, ` +
      `${uploadsAtOnce} at once: ${((uploads * size) / took).toFixed(0)} MB/s, ` +
      `${used.toFixed(0)} ms of the site's CPU time each`,
  );
  console.table(rows);
}

/** An MP4 file of the maximum upload size, the same each time. */
function* film(): Generator<Buffer> {
  const mp4 = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');
  yield mp4;
  for (let left = uploadMaxBytes - mp4.length; left > 0; left -= chunk.length) {
    yield chunk.subarray(0, Math.min(left, chunk.length));
  }
}

function digestOfFilm(): string {
  const hash = createHash('sha256');
  for (const part of film()) hash.update(part);
  return hash.digest('hex');
}

/** Uploads as fast as the site's backpressure allows. */
async function upload(url: string): Promise<void> {
  const outgoing = request(`${url}/api/media`, {
    method: 'POST',
    agent: false,
    headers: { 'content-length': String(uploadMaxBytes), 'sec-fetch-site': 'same-origin' },
  });
  const responded = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  for (const part of film()) if (!outgoing.write(part)) await once(outgoing, 'drain');
  outgoing.end();
  const [response] = await responded;
  response.resume();
  if (response.statusCode !== 201)
    throw new Error(`An upload responded with ${response.statusCode}.`);
}

/**
 * Compares the signed-in studio and its list endpoint on the site with `remix-serve`, running the same build against
 * the same platform: the difference is the cost of the site's own server.
 */
async function reportFeed(site: Site): Promise<void> {
  const remix = await startRemixServe();
  try {
    const own = { name: 'site', origin: site.url, pid: site.child.pid };
    const remixServe = { name: 'remix-serve', origin: remix.url, pid: remix.child.pid };
    const targets = [
      ...['/studio', '/api/generations'].flatMap((path) => [
        { ...own, path },
        { ...remixServe, path },
      ]),
      // For scale: the first part of the benchmark compares the home page with `remix-serve`.
      { ...own, path: '/' },
    ].map((target) => ({ ...target, name: `${target.name} ${target.path}` }));
    for (const { name, origin, path } of targets) {
      const page = await (await fetch(origin + path)).text();
      const isWhole = path === '/' || page.includes('/api/generations/gen_23/output.png');
      if (!isWhole) throw new Error(`${name} responded without the feed.`);
    }
    const results = targets.map((target) => ({
      ...target,
      rate: [] as number[],
      cpu: [] as number[],
      p99: [] as number[],
    }));
    // Round 0 is the warm-up.
    for (let round = 0; round <= rounds; round++) {
      for (const { origin, path, name, pid, rate, cpu, p99 } of results) {
        const before = cpuTimeOf(pid);
        const duration = round === 0 ? warmUp : seconds;
        const load = await autocannon({ url: origin + path, connections, duration });
        if (load.non2xx + load.errors > 0) throw new Error(`${name}: not every response is 2xx.`);
        if (round === 0) continue;
        rate.push(load.requests.average);
        p99.push(load.latency.p99);
        cpu.push((cpuTimeOf(pid) - before) / load.requests.total);
      }
    }
    console.log(
      `\nSigned in, 24 generations, uncompressed, compared with remix-serve on the same build and platform: ` +
        `${connections} connections, median of ${rounds} × ${seconds} s`,
    );
    console.table(
      Object.fromEntries(
        results.map(({ name, path, rate, p99, cpu }) => {
          const other = results.find((result) => result.name === `remix-serve ${path}`);
          const ratios = rate.map((each, round) => each / (other?.rate[round] ?? Number.NaN));
          return [
            name,
            {
              'requests/s': Math.round(median(rate)),
              'p99 ms': median(p99),
              'CPU ms each': median(cpu).toFixed(2),
              '× remix-serve': other ? median(ratios).toFixed(2) : '',
            },
          ];
        }),
      ),
    );
  } finally {
    await remix.stop();
  }
}

async function startRemixServe(): Promise<Program & { url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await startProgram({
    name: 'remix-serve',
    arguments: ['node_modules/.bin/remix-serve', 'build/server/index.js'],
    env: childEnv({
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      PLATFORM_INTERNAL_URL: platform,
      SITE_ORIGIN: url,
      AUTH_SECRET: 'a key that is good for this benchmark and nothing else',
      SMTP_URL: 'off',
    }),
    ready: { url, statuses: [200] },
  });
  return { ...program, url };
}
