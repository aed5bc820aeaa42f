/**
 * Two processes of the site behind a load balancer that polls `/readyz`, restarted in turn under continuous traffic.
 * `ROLLING_RESTART_SECONDS=60` makes it a long run.
 */
import { request } from 'node:http';
import { expect, siteEntry, siteSettings, test } from '../../e2e/fixtures';
import { startSite } from '@gatehouse/simulator/programs';

const seconds = Number(process.env['ROLLING_RESTART_SECONDS'] ?? 5);
const connectionsPerSecond = 64;
/** Milliseconds between polls of `/readyz`. Shorter than the site's shutdown delay. */
const pollInterval = 200;
const shutdownDelay = '1';

test('a rolling restart loses no request', async ({ stack, platform }) => {
  test.setTimeout(test.info().timeout + seconds * 1_000);
  const start = (port?: number) =>
    startSite({
      ...siteSettings(platform),
      entry: siteEntry,
      env: { SHUTDOWN_DELAY_SECONDS: shutdownDelay },
      ...(port !== undefined && { port }),
    });
  const sites = [await start(), await start()];
  const ready = new Set(sites.map(({ url }) => url));
  let turn = 0;
  const next = () => [...ready][turn++ % ready.size] ?? 'http://none.ready';

  const look = setInterval(() => {
    for (const { url } of sites) {
      void statusOf(`${url}/readyz`).then((status) => {
        if (status === 200) ready.add(url);
        else ready.delete(url);
        platform.setSiteUpstream(next());
      });
    }
  }, pollInterval);

  const visits: Promise<number | string>[] = [];
  const visit = setInterval(() => {
    // Alternates between a site process directly and the edge, which pools its connections.
    const edge = new URL(platform.siteOrigin);
    const straight = visits.length % 2 === 0;
    const page = visits.length % 8 < 2 ? '/' : '/api/user';
    visits.push(
      straight
        ? statusOf(next() + page)
        : statusOf(`http://127.0.0.1:${edge.port}${page}`, { host: edge.host }),
    );
  }, 1_000 / connectionsPerSecond);

  let restarts = 0;
  const end = Date.now() + seconds * 1_000;
  try {
    while (Date.now() < end || restarts < sites.length) {
      const index = restarts++ % sites.length;
      const site = sites[index];
      if (!site) throw new Error('no site');
      site.child.kill('SIGTERM');
      expect(await site.exited).toBe(0);
      sites[index] = await start(Number(new URL(site.url).port));
      await expect.poll(() => ready.size).toBe(2);
    }
  } finally {
    clearInterval(visit);
    clearInterval(look);
    platform.setSiteUpstream(stack.site.url);
  }
  const statuses = await Promise.all(visits);
  for (const site of sites) await site.stop();
  test.info().annotations.push({
    type: 'rolling restart',
    description: `${restarts} restarts, ${statuses.length} connections`,
  });
  expect(statuses.filter((status) => status !== 200 && status !== 401)).toEqual([]);
});

/** The response's status, or the error. Each call opens a new connection. */
function statusOf(url: string, headers: Record<string, string> = {}): Promise<number | string> {
  return new Promise((resolve) => {
    request(url, { agent: false, headers }, (response) => {
      response.on('error', (error) => {
        resolve(error.message);
      });
      response.resume().once('end', () => {
        resolve(response.complete ? (response.statusCode ?? 0) : 'cut off');
      });
    })
      .once('error', (error) => {
        resolve(error.message);
      })
      .end();
  });
}
