/**
 * Recipes that consist of more than a route, tested on the built site behind the extended platform: over HTTP, and
 * with their flows in a browser.
 */
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { readBuiltRoutes, prove } from '@gatehouse/proof';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { httpVisitor, type HttpVisitor } from '@gatehouse/simulator/http';
import { type Site, childEnv } from '@gatehouse/simulator/programs';
import { toSafeProfile } from '@gatehouse/platform';
import type * as Platforms from '../../e2e/platform';
import type { default as ownSite } from '../../e2e/site';
import { buildRecipeSite, startBuilt } from './recipe-site';
import { files, root } from './site-recipes';

const secret = 'a-secret-of-the-kiln-service-and-this-site';

/** The service of `external-service.md`. */
const tides = { key: '', body: '{"tides":[]}', status: 200, redirect: '' };
const tidesService = createServer(({ headers, url }, response) => {
  tides.key = headers.authorization ?? '';
  if (url !== '/v1/tides?harbour=lisbon') response.statusCode = 404;
  else if (tides.redirect) response.writeHead(302, { location: tides.redirect });
  else response.statusCode = tides.status;
  response.end(tides.body);
});

let folder = '';
let platform: Platforms.Platform;
let site: Site;
let ada: HttpVisitor;
let stranger: HttpVisitor;

beforeAll(async () => {
  folder = await buildRecipeSite();
  const { startPlatform } = (await import(
    /* @vite-ignore */ path.join(folder, 'e2e/platform.ts')
  )) as typeof Platforms;
  platform = await startPlatform({ port: 0, internalPort: 0 });
  await new Promise<void>((resolve) => tidesService.listen(0, '127.0.0.1', resolve));
  site = await startBuilt(folder, platform, {
    KILN_WEBHOOK_SECRET: secret,
    TIDES_URL: `http://127.0.0.1:${(tidesService.address() as AddressInfo).port}`,
    TIDES_KEY: 'the key of the tides service',
  });
  ada = httpVisitor(platform, 'ada');
  stranger = httpVisitor(platform, null);
}, 300_000);
afterEach(() => platform.faults.clear());
afterAll(async () => {
  await site.stop();
  tidesService.close();
  await platform.close();
});

test('a public route is cacheable for every visitor, and does not call the platform', async () => {
  platform.ledger.clear();
  for (const visitor of [ada, stranger]) {
    const response = await visitor.get('/api/ferry-times');
    const kept = response.headers['cache-control'];
    expect([response.status, kept]).toEqual([
      200,
      'public, max-age=300, stale-while-revalidate=3600',
    ]);
    expect(response.json()).toMatchObject({ departures: ['06:40', '09:15', '13:00', '18:30'] });
  }
  expect(platform.ledger.calls()).toEqual([]);
});

test('a public page is the same for everybody, and asks the platform nothing [W19 W20]', async () => {
  platform.ledger.clear();
  const pages = await Promise.all([ada, stranger].map((visitor) => visitor.get('/listings/kiln')));
  for (const { status, headers, text } of pages) {
    expect([status, text]).toEqual([200, pages[0]?.text]);
    expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600');
    expect(text).toContain(`<link rel="canonical" href="${platform.siteOrigin}/listings/kiln"/>`);
    expect(text).not.toContain('noindex');
  }
  const known = { 'if-none-match': String(pages[0]?.headers.etag) };
  const again = await ada.get('/listings/kiln', known);
  expect([again.status, again.text]).toEqual([304, '']);
  const missing = await ada.get('/listings/none');
  expect([missing.status, missing.headers['cache-control']]).toEqual([404, 'private, no-store']);
  const picture = await stranger.get('/api/listing-picture');
  expect(picture.headers['cross-origin-resource-policy']).toBe('cross-origin');
  const calls = platform.ledger.calls().map(({ siteRequest }) => siteRequest?.path);
  expect(calls.filter((address) => address !== '/listings/none')).toEqual([]);
});

test('a feed, a site map and robots.txt are at their own addresses, as resources', async () => {
  const feed = await stranger.get('/feed.xml');
  const map = await stranger.get('/sitemap.xml');
  const robots = await stranger.get('/robots.txt');
  const here = platform.siteOrigin;
  expect(feed.text).toContain(`<id>${here}/listings/kiln</id>`);
  expect(map.text).toContain(`<loc>${here}/listings/kiln</loc>`);
  expect(robots.text).toContain(`Sitemap: ${here}/sitemap.xml`);
  for (const { status, headers } of [feed, map, robots]) {
    expect([status, headers['cache-control']]).toEqual([
      200,
      expect.stringMatching(/^public, max-age=\d+$/),
    ]);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; sandbox;/);
  }
  expect((await stranger.get('/feed.xml.data')).status).toBe(404);
  const post = await ada.post('/feed.xml', {});
  expect([post.status, post.json()]).toEqual([405, { error: 'method_not_allowed' }]);
});

test('data of an external service is parsed and cacheable, and its failure is neither', async () => {
  const tide = { at: '2026-11-27T06:12:00Z', metres: 3.1 };
  const tidesAfter = async (change: Partial<typeof tides>) => {
    Object.assign(tides, { status: 200, redirect: '', ...change });
    const { status, text, headers } = await stranger.get('/api/tides');
    return [status, text, headers['cache-control']];
  };
  expect(
    await tidesAfter({
      body: JSON.stringify({ tides: [{ ...tide, source: 'canary' }], key: 'canary' }),
    }),
  ).toEqual([200, JSON.stringify({ tides: [tide] }), 'public, max-age=60']);
  expect(tides.key).toBe('Bearer the key of the tides service');
  const none = [200, '{"tides":null}', 'no-store'];
  expect(await tidesAfter({ status: 500, body: 'canary' })).toEqual(none);
  expect(await tidesAfter({ body: '{"tides":"canary"}' })).toEqual(none);
  expect(await tidesAfter({ redirect: platform.internalUrl })).toEqual(none);
});

/** A webhook request by the service, without any headers that a browser sends. */
function firing(fields: object, { key = secret, sentAt = Date.now() } = {}) {
  const event = { id: 'f1', type: 'firing.done', piece: 'p1', happened_at: Date.now() };
  const body = JSON.stringify({ ...event, sent_at: sentAt, ...fields });
  const signature = createHmac('sha256', key).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-kiln-signature': signature };
  return { method: 'POST', headers, body };
}

test('a webhook accepts signed requests only, from any origin [W19]', async () => {
  platform.ledger.clear();
  const address = '/api/kiln-webhook';
  const signed = firing({});
  const foreign = { origin: 'https://kiln.test', 'sec-fetch-site': 'cross-site' };
  const requests = [
    signed,
    { ...signed, headers: { ...signed.headers, ...foreign } },
    firing({ type: 'a type of next year' }),
    { ...signed, body: signed.body.replace('done', 'failed') },
    { ...signed, body: `${signed.body} ` },
    { ...signed, headers: {} },
    firing({}, { key: 'another secret' }),
    firing({}, { sentAt: Date.now() - 6 * 60_000 }),
    firing({}, { sentAt: Date.now() + 6 * 60_000 }),
    firing({}, { sentAt: Date.now() + 4 * 60_000 }),
    firing({ id: 7 }),
    firing({ happened_at: 1e300 }),
    firing({ id: 'x'.repeat(64 * 1024) }),
  ];
  const statuses = [];
  for (const request of requests) statuses.push((await stranger.send(address, request)).status);
  expect(statuses).toEqual([202, 202, 202, 401, 401, 401, 401, 401, 401, 202, 422, 422, 413]);
  expect((await ada.get(address)).status).toBe(405);
  // The same event again and again, and then one that happened before it.
  const often = Array.from({ length: 5 }, () => stranger.send('/api/firings/webhook', signed));
  expect((await Promise.all(often)).map(({ status }) => status)).toEqual(Array(5).fill(202));
  const replayed = await stranger.send(
    '/api/firings/webhook',
    firing({}, { sentAt: Date.now() - 6 * 60_000 }),
  );
  expect([replayed.status, replayed.json()]).toEqual([401, { error: 'expired_signature' }]);
  expect(platform.ledger.calls()).toEqual([]);
});

test('a cookie has the attributes that a frame requires, and is read back', async () => {
  const form = (colour: string) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `colour=${colour}`,
  });
  const [amber = ''] = (await stranger.post('/lantern', form('amber'))).headers['set-cookie'] ?? [];
  expect(amber).toMatch(/^__Host-lantern=[^;]+; Max-Age=15552000; Path=\/;/);
  for (const attribute of ['HttpOnly', 'Secure', 'Partitioned', 'SameSite=None']) {
    expect(amber.split('; ')).toContain(attribute);
  }
  const [cookie = ''] = amber.split(';');
  expect((await stranger.get('/lantern', { cookie })).text).toContain('The lantern is amber.');
  const forged = `__Host-lantern=${Buffer.from('"<b>"').toString('base64')}`;
  expect((await stranger.get('/lantern', { cookie: forged })).text).toContain(
    'The lantern is out.',
  );
  const [out] = (await stranger.post('/lantern', form(''))).headers['set-cookie'] ?? [];
  expect(out).toContain('Max-Age=0;');
});

test('an operation of the platform calls the guard first and returns safe data only [W09 W20]', async () => {
  platform.ledger.clear();
  expect((await stranger.get('/api/greenhouses')).status).toBe(401);
  expect((await ada.get('/api/greenhouses')).json()).toEqual({ items: [] });
  const called = platform.ledger.calls().map(({ endpoint }) => endpoint);
  expect(called).toEqual(['user', 'user', 'greenhouses']);
  // The cast is needed because the types are those of the platform without the recipe's operation.
  await platform.faults.set('greenhouses' as 'list', { kind: 'status', status: 403 });
  expect((await ada.get('/api/greenhouses')).json()).toEqual({ error: 'forbidden' });
});

test('a writing operation runs once per idempotency key, for its account only [W09 W13 W20]', async () => {
  const { profile } = platform.personas.find(({ id }) => id === 'ada') ?? {};
  const own = `/api/greenhouses?${new URLSearchParams({ account: toSafeProfile(profile).key })}`;
  const named = (name: string, key = 'a-key-of-a-test') => ({
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ name }),
  });
  const refused = [
    await stranger.post(own, named('Orchids')),
    await ada.post('/api/greenhouses?account=somebody-else', named('Orchids')),
    await ada.post(own, named('Orchids', '')),
    await ada.post(own, named(' ')),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 409, 400, 422]);
  const orchids = { id: 'gh_1', name: 'Orchids', plants: 0 };
  for (const response of [
    await ada.post(own, named('Orchids')),
    await ada.post(own, named('Orchids')),
  ])
    expect([response.status, response.json()]).toEqual([201, orchids]);
  const other = await ada.post(own, named('Ferns'));
  expect([other.status, other.json()]).toEqual([409, { error: 'idempotency_key_reused' }]);
  expect((await ada.get('/api/greenhouses')).json()).toEqual({ items: [orchids] });
});

test('a streaming page: a refusal has a status, and the deferred part may fail [W09 W33]', async () => {
  expect((await stranger.get('/almanac')).status).toBe(302);
  const whole = await ada.get('/almanac');
  expect([whole.status, whole.text]).toEqual([200, expect.stringContaining('>0 saved.<')]);
  await platform.faults.set('bookmarks', { kind: 'status', status: 503 });
  const failed = await ada.get('/almanac');
  expect(failed.status).toBe(200);
  expect(failed.text).toContain('The platform is not responding.');
  expect(failed.text).not.toContain('on purpose');
});

/** Runs a program of the repository in the site. @returns what it printed. */
async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(root, 'node_modules', program), ...args],
    { cwd: folder, env: { ...process.env, NO_COLOR: '1' } },
  ).catch((error: unknown) => {
    throw new Error((error as { stdout: string }).stdout, { cause: error });
  });
  return stdout;
}

/** The recipes' files with this ending. */
const filesOf = (ending: string) =>
  files.map(({ title = '' }) => title).filter((title) => title.endsWith(ending));

test('the unit tests pass', async () => {
  const tests = filesOf('.test.ts');
  expect(tests).toEqual(['app/sightings/sightings.test.ts']);
  expect(await run('vitest/vitest.mjs', 'run', ...tests)).toMatch(/^ +Tests +2 passed/m);
}, 120_000);

test('the flows pass in the frame, where third-party cookies are blocked [W15 W18]', async () => {
  const flows = filesOf('.spec.ts');
  expect(flows).toHaveLength(6);
  const project = ['--project', 'blocked-partitioned'];
  expect(await run('@playwright/test/cli.js', 'test', ...flows, ...project)).toMatch(
    /^ +7 passed/m,
  );
}, 300_000);

test('the proof over HTTP has no findings for the recipes [W09 W13 W19 W20]', async () => {
  const { default: definition } = (await import(
    /* @vite-ignore */ path.join(folder, 'e2e/site.ts')
  )) as { default: typeof ownSite };
  const settings = { KILN_WEBHOOK_SECRET: secret, MAX_CONNECTIONS: '2000' };
  const inventory = await readBuiltRoutes(
    folder,
    childEnv({ ...settings, PLATFORM_INTERNAL_URL: platform.internalUrl }),
  );
  const entry = path.join(folder, 'build/server/main.js');
  const { findings, outcomes, excused } = await prove({
    definition,
    inventory,
    // `npm run boundary` covers the site's own routes.
    selected: new Set(
      inventory.routes.filter(({ file }) => files.some(({ title }) => title === file)),
    ),
    start: { entry, env: settings },
  });
  expect(findings).toEqual([]);
  expect(excused).toEqual([
    expect.objectContaining({ table: 'account', routes: ['/members'] }),
    expect.objectContaining({ table: 'pot', routes: ['/gallery'] }),
  ]);
  const proven = outcomes.map(({ file }) => file);
  expect(proven).toContain('app/routes/api.bookmark.ts');
  expect(proven).toContain('app/sightings/routes/sightings.tsx');
  expect(proven).toContain('app/sightings/routes/api.sightings-list.ts');
}, 900_000);
