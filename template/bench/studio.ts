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
import { uploadMaxBytes } from '~/platform/media/media';
import {
  compare,
  cpuTimeOf,
  memoryOf,
  remixServe,
  startArguments,
  startServer,
  stopServers,
  type Server,
} from './measures';
import { collecting, reportStreams, streams } from './studio-streams';
import { reportTabs } from './studio-tabs';

const uploads = Number(process.env['BENCH_UPLOADS'] ?? 50);
const uploadsAtOnce = 10;

const megabyte = 1024 * 1024;
const chunk = randomBytes(64 * 1024);

const platform = await startServer(
  'The bare platform',
  ['--import', 'tsx', 'template/bench/studio-upstream.ts'],
  { UPLOAD_SHA256: digestOfFilm() },
);
try {
  await withSite(reportUploads);
  await withSite(reportFeed);
  // Twice as many: a batch of streams opens while connections of the one before may not have closed yet.
  const env = { MAX_CONNECTIONS: String(2 * streams) };
  await withSite((site) => reportStreams(site, platform.url), env, collecting);
} finally {
  await stopServers();
}
await reportTabs();

async function withSite(
  measure: (site: Server) => Promise<void>,
  env: Record<string, string> = {},
  nodeArguments: readonly string[] = [],
): Promise<void> {
  const site = await startServer('site', [...nodeArguments, ...startArguments], {
    PLATFORM_INTERNAL_URL: platform.url,
    ...env,
  });
  await measure(site);
  await site.stop();
}

/** Reports the site's memory while it relays concurrent uploads of the maximum size. */
async function reportUploads({ url, child }: Server): Promise<void> {
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
async function reportFeed(site: Server): Promise<void> {
  const peer = await startServer('remix-serve', remixServe, {
    PLATFORM_INTERNAL_URL: platform.url,
  });
  for (const path of ['/studio', '/api/generations']) {
    for (const { name, url } of [site, peer]) {
      const page = await (await fetch(url + path)).text();
      if (page.includes('/api/generations/gen_23/output.png')) continue;
      throw new Error(`${name} ${path} responded without the feed.`);
    }
    await compare(path, [site, peer]);
  }
  await peer.stop();
}
