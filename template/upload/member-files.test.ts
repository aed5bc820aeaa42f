/** `docs/recipes/accounts/member-files.md` on the built site: what hostile requests for files and with files come to. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpVisitor, RequestOptions } from '@gatehouse/simulator/http';
import type { Site } from '@gatehouse/simulator/programs';
import { startPlatform, type Platform } from '../../e2e/platform';
import { buildRecipeSite, startBuilt } from '../recipes/recipe-site';
import { memberOf } from './member';

const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');

let platform: Platform;
let site: Site;
let ada: HttpVisitor;
let eve: HttpVisitor;

beforeAll(async () => {
  platform = await startPlatform({ port: 0, internalPort: 0 });
  site = await startBuilt(await buildRecipeSite(), platform, { SMTP_URL: platform.smtpUrl });
  ada = await memberOf(platform, null);
  eve = await memberOf(platform, null);
}, 300_000);
afterAll(async () => {
  await site.stop();
  await platform.close();
});

/** An account's id, as its own page names it. */
async function accountOf(visitor: HttpVisitor): Promise<string> {
  const { text } = await visitor.get('/sightings/new');
  return /name="account" value="([^"]*)"/.exec(text)?.[1] ?? '';
}

const listOf = async (visitor: HttpVisitor) =>
  [...(await visitor.get('/papers')).text.matchAll(/<span id="([^"]+)"/g)].map(([, id = '']) => id);

async function upload(visitor: HttpVisitor, options: RequestOptions, name = 'a.pdf') {
  const query = new URLSearchParams({ account: await accountOf(visitor), name });
  return visitor.post(`/api/papers?${query}`, options);
}

test('a paper is inert when it is opened, resumes at a range, and is its owner’s alone [W09 W24]', async () => {
  const kept = await upload(ada, { body: pdf }, '../../etc/passwd\r\nx-evil: 1.html');
  const { id } = kept.json() as { id: string };
  expect([kept.status, kept.json()]).toEqual([
    201,
    expect.objectContaining({ name: 'passwdx-evil: 1.pdf', type: 'application/pdf' }),
  ]);
  const address = `/api/papers/${id}`;
  const { status, headers, bytes } = await ada.get(address);
  expect([status, bytes.equals(pdf), headers['x-evil']]).toEqual([200, true, undefined]);
  expect(headers['content-disposition']).toMatch(/^attachment; filename="passwdx-evil: 1\.pdf"$/);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; sandbox;/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  expect(headers['cache-control']).toBe('private, no-store, no-transform');
  const part = await ada.get(address, { range: 'bytes=1-3', 'if-range': headers.etag ?? '' });
  expect([part.status, part.text]).toEqual([206, 'PDF']);
  const known = { 'if-none-match': headers.etag ?? '' };
  expect((await ada.get(address, known)).status).toBe(304);

  for (const given of [undefined, known, { range: 'bytes=0-0' }]) {
    expect((await eve.get(address, given)).status).toBe(404);
  }
  await eve.post('/papers', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ account: await accountOf(eve), id }).toString(),
  });
  expect(await listOf(ada)).toEqual([id]);
  expect(await listOf(eve)).toEqual([]);
});

test('no path leads past the ids of files, and none to a kind for everybody', async () => {
  const [id = ''] = await listOf(ada);
  const tricks = ['%00', `${id}%00`, `..%2fpapers%2f${id}`, `${id}'--`, '%', `%2e%2e/${id}`];
  for (const trick of tricks) {
    const { status, headers } = await ada.get(`/api/papers/${trick}`);
    expect([status, headers['content-type']?.startsWith('application/pdf')], trick).toEqual([
      expect.toSatisfy((given: number) => given === 404 || given === 400) as number,
      false,
    ]);
  }
  expect((await eve.get(`/api/portraits/${id}`)).status).toBe(404);
});

test('an upload of another account’s page, or of nobody, is refused before it is read [W13]', async () => {
  const query = new URLSearchParams({ account: await accountOf(eve), name: 'a.pdf' });
  const foreign = await ada.post(`/api/papers?${query}`, { body: pdf });
  expect([foreign.status, foreign.json()]).toEqual([409, { error: 'account_changed' }]);
  const elsewhere = {
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    body: pdf,
  };
  expect((await upload(ada, elsewhere)).status).toBe(403);
});

test.each<[string, RequestOptions, number]>([
  ['that says it is one, and is a page', { body: '<!doctype html><script>1</script>' }, 415],
  ['that is empty', { body: '' }, 415],
])('a file %s is refused, and nothing is kept', async (_, options, status) => {
  const before = await listOf(ada);
  const headers = { 'content-type': 'application/pdf' };
  expect((await upload(ada, { ...options, headers })).status).toBe(status);
  expect(await listOf(ada)).toEqual(before);
});

test('a file that is larger than the route takes is refused while it is sent, and nothing is kept', async () => {
  const before = await listOf(ada);
  const body = Buffer.concat([pdf, Buffer.alloc(21 * 1024 * 1024)]);
  // The proxy may still be sending when the site closes the connection.
  const { status } = await upload(ada, { body });
  expect([413, 502]).toContain(status);
  expect(await listOf(ada)).toEqual(before);
});

test('an upload that is cut keeps nothing', async () => {
  const before = await listOf(ada);
  const cut = new AbortController();
  const body = Buffer.concat([pdf, Buffer.alloc(2 * 1024 * 1024)]);
  const restWhen = () => {
    cut.abort();
    return Promise.resolve();
  };
  await expect(upload(ada, { body, restWhen, signal: cut.signal })).rejects.toThrow();
  expect((await upload(ada, { body: pdf })).status).toBe(201);
  expect(await listOf(ada)).toHaveLength(before.length + 1);
});
