/**
 * `npm run bench`: compares the built site with the floor and with `remix-serve`, interleaved in one run. Prints
 * medians, and the median of the per-round ratios. It never fails on a result. Loopback only.
 */
import { gzipSync } from 'node:zlib';
import { compare, median, remixServe, startArguments, startServer, stopServers } from './measures';

try {
  const upstream = await startServer('upstream', ['template/bench/upstream.mjs']);
  const env = { PLATFORM_INTERNAL_URL: upstream.url };
  const floor = await startServer('floor', ['template/bench/floor.mjs'], env);
  const site = await startServer('site', startArguments, env);
  const peer = await startServer('remix-serve', remixServe, env);
  const late = await startServer(
    'late page',
    ['--import', 'tsx', 'template/bench/late-page.tsx'],
    env,
  );

  const kept = await startServer(
    'public page',
    ['--import', 'tsx', 'template/bench/public-page.ts'],
    env,
  );

  // The floor is measured only on `/api/user`: it has no page to compare.
  aim(await compare('/api/user', [floor, site, peer]), 'floor', 0.9);
  aim(await compare('/', [site, peer]), 'remix-serve', 1.4);
  // With the Accept-Encoding of a browser, so that both servers compress.
  const encoded = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  aim(await compare('/', [site, peer], encoded), 'remix-serve', 1.5);
  // The same page for everybody, and for who has it.
  aim(await compare('/', [kept, peer], encoded), 'remix-serve', 1.5, 'public page');
  const etag = (await fetch(kept.url)).headers.get('etag') ?? '';
  const known = { ...encoded, 'if-none-match': etag };
  aim(await compare('/', [kept, peer], known), 'remix-serve', 2, 'public page');
  await reportLatePage(floor.url, late.url);
  await reportWeight(site.url);
} finally {
  await stopServers();
}

/** @param target the minimum ratio of a server's request rate to that of the server `over`. */
function aim(
  ratio: (server: string, over: string) => number,
  over: string,
  target: number,
  name = 'site',
): void {
  const reached = ratio(name, over);
  const verdict = reached >= target ? 'reached' : 'missed';
  console.log(`${name} / ${over}: ${reached.toFixed(3)}, target ${target}: ${verdict}`);
}

/** Reports the time to the shell of a page whose deferred data resolves after a second. */
async function reportLatePage(floor: string, late: string): Promise<void> {
  console.log('\nTime to the shell of a page with data deferred by 1,000 ms, median of 15');
  const rows: [string, string, string][] = [
    ['floor', floor, 'identity'],
    ...['identity', 'gzip', 'br'].map((encoding): [string, string, string] => [
      `site, ${encoding}`,
      late,
      encoding,
    ]),
  ];
  const waits = new Map(rows.map(([row]) => [row, [] as number[]]));
  for (let round = 0; round < 15; round++) {
    for (const [row, url, encoding] of rows) waits.get(row)?.push(await timeToShell(url, encoding));
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
