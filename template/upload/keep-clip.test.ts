/**
 * `docs/recipes/studio/keep-clip.md` on the built site: a clip goes from the platform into an account's files through both
 * guards. Measures the memory of the site's process, and how long another member waits.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { formRequest, httpVisitor, type HttpVisitor } from '@gatehouse/simulator/http';
import type { Site } from '@gatehouse/simulator/programs';
import { startPlatform, type Platform } from '../../e2e/platform';
import { buildRecipeSite, startBuilt } from '../recipes/recipe-site';
import { memberOf } from './member';

const megabyte = 1024 * 1024;

/** The marks of an MP4 file, then noise. */
function film(bytes: number): Buffer {
  const film = randomBytes(bytes);
  film.write('00000018667479706d703432000000006d70343269736f6d', 'hex');
  return film;
}

let platform: Platform;
let site: Site;
let ada: HttpVisitor;
let eve: HttpVisitor;

beforeAll(async () => {
  platform = await startPlatform({ port: 0, internalPort: 0 });
  site = await startBuilt(await buildRecipeSite(), platform, { SMTP_URL: platform.smtpUrl });
  ada = await memberOf(platform, 'ada');
  eve = await memberOf(platform, null);
}, 300_000);
afterEach(async () => {
  vi.restoreAllMocks();
  await platform.faults.clear();
});
afterAll(async () => {
  await site.stop();
  await platform.close();
});

/** What the form of the page sends, for a clip that the platform is given. */
async function keepOf(visitor: HttpVisitor, body: Buffer): Promise<Record<string, string>> {
  const { generations } = platform.state;
  const clip = {
    id: 'gen_clip',
    kind: 'clip' as const,
    status: 'succeeded',
    output: { content_type: 'video/mp4', width: 1, height: 1, seconds: 1 },
    ...{ prompt: 'A lighthouse', aspect_ratio: '1:1', progress: 1, cost: 1, references: [] },
    created_at: '2026-11-21T08:00:00Z',
  };
  vi.spyOn(generations, 'find').mockReturnValue(clip as never);
  vi.spyOn(generations, 'list').mockReturnValue({ items: [clip], next_cursor: null } as never);
  vi.spyOn(generations, 'output').mockReturnValue({ contentType: 'video/mp4', body });
  const { text } = await visitor.get('/clips');
  const field = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  return { account: field('account'), person: field('person'), id: field('id') };
}

const keptBy = async (visitor: HttpVisitor) =>
  [...(await visitor.get('/clips')).text.matchAll(/<span id="([^"]+)">([^<]+)</g)].map(
    ([, id = '']) => id,
  );

/** Resident memory of the site's process in megabytes: current and peak. */
function memoryOfSite(): { now: number; peak: number } {
  const status = readFileSync(`/proc/${String(site.child.pid)}/status`, 'utf8');
  const of = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

test('a clip is kept for the two people who saw the page, and for nobody else [W09 W13 W29]', async () => {
  const clip = film(megabyte);
  const fields = await keepOf(ada, clip);
  expect(fields.id).toBe('gen_clip');
  const statuses = [];
  for (const wrong of [{ person: 'somebody else' }, { person: '' }, { account: 'another' }]) {
    statuses.push((await ada.post('/clips', formRequest({ ...fields, ...wrong }))).status);
  }
  expect(statuses).toEqual([409, 409, 409]);
  const withoutPlatform = await eve.post('/clips', formRequest(fields));
  const withoutAccount = await httpVisitor(platform, 'ada').post('/clips', formRequest(fields));
  expect([withoutPlatform.status, withoutAccount.status]).toEqual([302, 302]);
  expect(await keptBy(ada)).toEqual([]);

  expect((await ada.post('/clips', formRequest(fields))).status).toBe(200);
  const [id = ''] = await keptBy(ada);
  const whole = await ada.get(`/api/clips/${id}`);
  expect([whole.status, whole.headers['content-type'], whole.bytes.equals(clip)]).toEqual([
    200,
    'video/mp4',
    true,
  ]);
  expect((await eve.get(`/api/clips/${id}`)).status).toBe(404);
});

test('nothing is kept of a clip that breaks off, or is none', async () => {
  const before = await keptBy(ada);
  const fields = await keepOf(ada, film(4 * megabyte));
  await platform.faults.set('output', { kind: 'truncated' });
  expect((await ada.post('/clips', formRequest(fields))).status).toBeGreaterThanOrEqual(500);
  await platform.faults.clear();
  const page = Buffer.from('<!doctype html><script>alert(1)</script>');
  const other = await keepOf(ada, page);
  expect((await ada.post('/clips', formRequest(other))).status).toBe(502);
  expect(await keptBy(ada)).toEqual(before);
});

test.skipIf(process.platform !== 'linux')(
  '200 MB are kept with bounded memory, while another member’s forms are answered',
  async () => {
    const small = await keepOf(ada, film(5 * megabyte));
    await ada.post('/clips', formRequest(small));
    const clip = film(200 * megabyte);
    const fields = await keepOf(ada, clip);
    const { text } = await eve.get('/sightings/new');
    const [, account = ''] = /name="account" value="([^"]*)"/.exec(text) ?? [];
    const before = memoryOfSite();
    const state = { isDone: false };
    const kept = ada.post('/clips', formRequest(fields)).finally(() => (state.isDone = true));
    let longest = 0;
    let written = 0;
    while (!state.isDone) {
      const began = performance.now();
      const sighting = { account, id: crypto.randomUUID(), bird: 'Dipper' };
      const { status } = await eve.post('/sightings/new', formRequest(sighting));
      expect(status).toBeLessThan(400);
      longest = Math.max(longest, performance.now() - began);
      written += 1;
    }
    expect((await kept).status).toBe(200);
    const grown = memoryOfSite().peak - before.now;
    process.stdout.write(
      `200 MB: ${Math.round(grown)} MB of memory, ${written} writes of another member, the slowest ${Math.round(longest)} ms\n`,
    );
    expect(grown).toBeLessThan(100);
    expect(written).toBeGreaterThan(5);
    expect(longest).toBeLessThan(3_000);
    const [id = ''] = await keptBy(ada);
    const { bytes } = await ada.get(`/api/clips/${id}`);
    const digestOf = (of: Buffer) => createHash('sha256').update(of).digest('hex');
    expect(digestOf(bytes)).toBe(digestOf(clip));
  },
  120_000,
);
