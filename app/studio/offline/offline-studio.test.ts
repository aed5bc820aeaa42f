/**
 * The studio in the offline demo. `offline-demo.test.ts` checks for every route that the demo opens
 * no connection.
 */
import { expect, test, vi } from 'vitest';
import { post, postJson, startSite } from '~/testing/whole-site';

vi.stubEnv('OFFLINE_DEMO', '1');
vi.stubEnv('PLATFORM_INTERNAL_URL', undefined);

const site = await startSite();

/** The cookie and page that a browser keeps from its first request. */
async function newCookie(): Promise<string> {
  const page = await site.send('/studio');
  const [cookie = ''] = page.headers.getSetCookie()[0]?.split(';') ?? [];
  await page.text();
  return cookie;
}

const withCookie = ({ headers, ...init }: RequestInit, cookie: string): RequestInit => ({
  ...init,
  headers: { ...(headers as Record<string, string>), cookie },
});

test('the demo makes pictures in memory, and refuses what the platform would refuse [W31]', async () => {
  const cookie = await newCookie();
  const send = (path: string, init: RequestInit = {}) => site.send(path, withCookie(init, cookie));
  const order = postJson({ prompts: ['a fox'] }, { 'idempotency-key': 'a-key-of-a-test' });
  const [, account = ''] =
    /name="account" value="([^"]+)"/.exec(await (await send('/studio')).text()) ?? [];
  const started = await send(`/api/generations?account=${account}`, order);
  expect(started.status).toBe(201);
  const { items } = (await started.json()) as { items: { id: string }[] };
  const id = items[0]?.id ?? '';
  for (const path of ['/api/generations', `/api/generations/${id}`]) {
    expect([path, (await send(path)).status]).toEqual([path, 200]);
  }
  expect((await send(`/api/generations/${id}/output.png`)).status).toBe(409);
  expect((await send('/api/generations/unknown')).status).toBe(404);
  expect((await send('/studio', post({ account, prompt: 'an owl' }))).status).toBe(303);
  expect((await send('/studio', post({ account, prompt: '' }))).status).toBe(422);

  // Another browser is another visitor, and one without cookies is signed out.
  const another = withCookie({}, await newCookie());
  expect((await site.send(`/api/generations/${id}`, another)).status).toBe(404);
  expect((await site.send('/api/generations')).status).toBe(401);
  // A returning visitor gets no new cookie.
  expect((await send('/studio')).headers.getSetCookie()).toEqual([]);
});
