/** The offline demo (W31): one person per browser, and bounds on how many are kept. */
import { expect, test } from 'vitest';
import { newBrowser, openSdk, pass } from '~/testing/platform/offline-demo';
import { demoVisitorOf } from '@gatehouse/platform/server';
import { checkPlatformUser, relayPlatformUser } from '~/platform.server';

test('each browser is its own visitor, by a cookie that survives the frame [W31]', async () => {
  const visitor = await demoVisitorOf({ cookie: '', kind: 'document' });
  expect(visitor?.setCookie).toMatch(
    /^__Host-demo_visitor=[^;]+; Path=\/; HttpOnly; Secure; Partitioned; SameSite=None$/,
  );
  const [first, second] = [await newBrowser(), await newBrowser()];
  expect(first.id).not.toBe(second.id);
  // Every kind of request finds the same visitor, and sets no other cookie.
  for (const kind of ['document', 'data', 'resource'] as const) {
    const again = { profile: { id: first.id, name: 'Demo visitor' }, setCookie: null };
    expect(await demoVisitorOf({ cookie: `a=b; ${first.cookie}`, kind })).toEqual(again);
  }
  const { status, headers, body } = await relayPlatformUser({
    cookie: first.cookie,
    aborted: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  expect(status).toBe(200);
  expect(headers).toEqual({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  expect(JSON.parse(String(body))).toEqual({ id: first.id, name: 'Demo visitor' });
});

test('one browser never sees another’s data, and cannot change it [W13 W31]', async () => {
  const [first, second] = [await newBrowser(), await newBrowser()];
  const { id } = await add(first, 'Foxes');
  const theirs = await openSdk(second);
  expect(await theirs.bookmarks.list()).toEqual([]);
  await expect(theirs.bookmarks.remove(id)).rejects.toMatchObject({ status: 404 });
  expect(await titlesOf(first)).toEqual(['Foxes']);
});

test.each(['', '__Host-demo_visitor=made-up', '__Host-demo_visitor=IiI%3D'])(
  'a browser without a valid cookie is signed out: %j [W31]',
  async (cookie) => {
    for (const kind of ['data', 'resource'] as const) {
      expect(await checkPlatformUser({ cookie, kind })).toEqual({
        ok: false,
        status: 401,
        body: { error: 'demo_needs_cookie' },
      });
    }
    expect((await relayPlatformUser()).status).toBe(401);
  },
);

test('an account is kept however many browsers load pages, until 200 others have changed something', async () => {
  const browser = await newBrowser();
  await add(browser, 'Foxes');
  for (let count = 0; count < 300; count++) expect(await titlesOf(await newBrowser())).toEqual([]);
  expect(await titlesOf(browser)).toEqual(['Foxes']);
  for (let count = 0; count < 200; count++) await add(await newBrowser(), 'Owls');
  expect(await titlesOf(browser)).toEqual([]);
});

test('bookmarks are added, listed newest first, removed, and bounded', async () => {
  const browser = await newBrowser();
  const { bookmarks } = await openSdk(browser);
  const foxes = await add(browser, 'Foxes', 'a-key-of-a-test');
  pass(1_000);
  expect(await add(browser, 'Foxes', 'a-key-of-a-test')).toEqual(foxes);
  const owls = await add(browser, 'Owls');
  expect(await bookmarks.list()).toEqual([owls, foxes]);
  expect(foxes).toEqual({ id: 'bm_1', title: 'Foxes', createdAt: expect.any(String) as string });
  await bookmarks.remove(foxes.id);
  expect(await bookmarks.list()).toEqual([owls]);
  for (let count = 1; count < 100; count++) await add(browser, `Number ${count}`);
  await expect(add(browser, 'One more')).rejects.toMatchObject({
    status: 422,
    code: 'too_many_bookmarks',
  });
});

type Browser = Awaited<ReturnType<typeof newBrowser>>;

async function add(browser: Browser, title: string, idempotencyKey: string = crypto.randomUUID()) {
  return (await openSdk(browser)).bookmarks.add(title, { idempotencyKey });
}

async function titlesOf(browser: Browser) {
  return (await (await openSdk(browser)).bookmarks.list()).map(({ title }) => title);
}
