/** The studio's page and form over HTTP, as a browser without JavaScript requests them. */
import { expect, test, vi } from 'vitest';
import { toSafeProfile } from '@gatehouse/platform';
import { startStudioOnPlatform } from '~/testing/studio/studio-on-platform';
import { ada } from '~/testing/platform/platform-with-ada';
import { hang, json } from '@gatehouse/platform/testing/upstream-double';
import { post } from '~/testing/whole-site';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));

const { platform, site, signIn, signOut, operations } = await startStudioOnPlatform();

const adaKey = toSafeProfile(ada).key;

test('signed out, the studio’s page has no enabled control, with or without JavaScript [W18]', async () => {
  signOut();
  const page = await (await site.send('/studio')).text();
  expect(page).toContain('<fieldset disabled');
  expect(page).toContain('Generation, uploads, credits and history belong to your account');
  expect(
    page
      .split('<noscript>')
      .join('')
      .match(/<form[^>]*method="post"/g),
  ).toHaveLength(1);
  expect(page).not.toContain('id="plain-prompt"');
  expect(page).not.toContain('Your pictures and clips');
});

test('signed in, the page’s controls are disabled until the browser has confirmed the visitor [W16]', async () => {
  signIn();
  const page = await (await site.send('/studio')).text();
  expect(page).toContain('<fieldset disabled');
  // The form in `<noscript>` is inert in every other browser.
  expect(page.replaceAll(/<noscript>.*?<\/noscript>/gs, '')).not.toContain('plain-prompt');
  expect(page).toContain('id="plain-prompt"');
  const buttons = page
    .replaceAll(/<noscript>.*?<\/noscript>/gs, '')
    .match(/<button[^>]*>(?:<svg.*?<\/svg>)?(?:Download|View)/gs);
  expect(buttons).not.toBeNull();
  for (const button of buttons ?? []) expect(button).toContain('disabled');
});

test('the studio’s form submits with its key in its workspace, and a document request is redirected to the studio [W13]', async () => {
  signIn();
  const response = await site.send(
    '/studio',
    post({
      account: adaKey,
      prompt: 'a fox',
      key: 'key-of-this-order',
      workspace: 'w1',
      kind: 'clip',
    }),
  );
  expect([response.status, response.headers.get('location')]).toEqual([303, '/studio']);
  const [order, ...others] = operations();
  expect(others).toEqual([]);
  expect(order?.path).toBe('/generations?workspace=w1');
  expect(order?.headers['idempotency-key']).toMatch(/^[\w-]{43}$/);
  expect(JSON.parse(order?.body ?? '')).toEqual({
    prompts: ['a fox'],
    kind: 'clip',
    aspect_ratio: '1:1',
    references: [],
  });
});

test('a form that was answered with a failure sends its order again with the same key, and an edited one with another', async () => {
  signIn();
  const keyIn = (page: string) => /name="key" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const key = keyIn(await (await site.send('/studio')).text());
  const send = async (prompt: string, workspace: string) => {
    platform.forget();
    signIn();
    platform.on('/generations', json(504, {}));
    const page = await (
      await site.send('/studio', post({ account: adaKey, prompt, key, workspace }))
    ).text();
    expect(keyIn(page)).toBe(key);
    const [order] = operations().filter(({ method }) => method === 'POST');
    return order?.headers['idempotency-key'];
  };
  expect(key).not.toBe('');
  const first = await send('a fox', 'w1');
  expect(await send('a fox', 'w1')).toBe(first);
  expect(await send('a hen', 'w1')).not.toBe(first);
  expect(await send('a fox', 'w2')).not.toBe(first);
});

test('the studio’s form answers a fetch with data', async () => {
  signIn();
  const response = await site.send('/studio.data', post({ account: adaKey, prompt: 'a fox' }));
  expect(response.status).toBe(200);
  expect(await response.text()).toMatch(/"ok"[:,]true/);
});

test('signed out, the studio’s form gets a typed refusal, and its prompts back [W11] [W19]', async () => {
  signOut();
  const data = await site.send('/studio.data', post({ prompt: 'my dear words' }));
  expect(data.status).toBe(401);
  const text = await data.text();
  expect(text).toMatch(/"ok"[:,]false/);
  expect(text).toContain('"unauthorized"');
  expect(text).toContain('my dear words');
  expect(text).not.toContain('hint');

  const page = await site.send('/studio', post({ prompt: 'my dear words' }));
  expect(page.status).toBe(401);
  expect(await page.text()).toContain('my dear words');
});

test.each([
  ['', 'Describe what you want to see.'],
  [' \r\n ', 'Describe what you want to see.'],
  ['x'.repeat(2_001), 'Use at most 2000 characters.'],
  ['a\u0000', 'Remove the invisible control characters.'],
])('an invalid prompt (%#) is 422 with its reason, and starts nothing', async (prompt, words) => {
  signIn();
  const response = await site.send('/studio', post({ account: adaKey, prompt }));
  expect(response.status).toBe(422);
  expect(await response.text()).toContain(words);
  expect(operations().filter(({ method }) => method === 'POST')).toHaveLength(0);
});

test('markup in a refused prompt is returned as text', async () => {
  signIn();
  platform.on('/generations', json(422, {}));
  const response = await site.send(
    '/studio',
    post({ account: adaKey, prompt: '</textarea><script>alert(1)</script>' }),
  );
  expect(response.status).toBe(422);
  const page = await response.text();
  expect(page).not.toContain('<script>alert(1)');
  expect(page).toContain('&lt;script&gt;alert(1)');
});

test.each([
  ['plain text', { headers: { 'content-type': 'text/plain' }, body: 'prompt=a' }],
  [
    'a broken form',
    { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: 'zzz' },
  ],
  ['JSON', { headers: { 'content-type': 'application/json' }, body: '{"prompt":"a"}' }],
])('a POST to the studio with %s is 400, and starts nothing', async (_, { headers, body }) => {
  signIn();
  const response = await site.send('/studio', {
    method: 'POST',
    headers: { ...headers, origin: 'https://site.example' },
    body,
  });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('Invalid request');
  expect(operations().filter(({ method }) => method === 'POST')).toHaveLength(0);
});

test('a form with too many prompts or references, an unknown kind, or a file as prompt, starts nothing', async () => {
  signIn();
  const file = new FormData();
  file.set('prompt', new File(['a fox'], 'fox.txt'));
  const forms = [
    new URLSearchParams('prompt=a&'.repeat(7)),
    new URLSearchParams(`prompt=a&${'reference=m1&'.repeat(5)}`),
    new URLSearchParams('prompt=a&kind=statue'),
    new URLSearchParams('prompt=a&aspectRatio=7:1'),
    file,
  ];
  for (const body of forms) {
    body.set('account', adaKey);
    const response = await site.send('/studio', {
      method: 'POST',
      headers: { origin: 'https://site.example' },
      body,
    });
    expect(response.status).toBe(422);
    await response.text();
  }
  expect(operations().filter(({ method }) => method === 'POST')).toHaveLength(0);
});

test('a part of the page that is late is left out, and its call is aborted [W13]', async () => {
  signIn();
  platform.on('/workspaces', hang);
  const response = await site.send('/studio');
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('Your pictures and clips');
  const [call] = platform.to('/workspaces');
  // The next page waits for its own late part, so this call has had that long to end. Its own deadline is later still.
  await (await site.send('/studio')).text();
  expect(await Promise.race([call?.ended, Promise.resolve('open')])).toBe('cut');
});

test('the page works when workspaces cannot be loaded [W33]', async () => {
  signIn();
  platform.on('/workspaces', json(500, { error: 'canary' }));
  for (const path of ['/studio', '/credits']) {
    const response = await site.send(path);
    const page = await response.text();
    expect([path, response.status]).toEqual([path, 200]);
    expect(page).not.toContain('canary');
    expect(page).not.toContain('Workspace"');
  }
});

test.each([
  ['another account', 'somebody else'],
  ['nobody, signed out', ''],
  ['a page that names none', undefined],
])('a form from %s is refused [W09] [W13]', async (_, given) => {
  signIn();
  const send = (account?: string) =>
    site.send('/studio', {
      method: 'POST',
      headers: { origin: 'https://site.example' },
      body: new URLSearchParams({ prompt: 'a fox', ...(account !== undefined && { account }) }),
    });
  const response = await send(given);
  expect(response.status).toBe(409);
  expect(await response.text()).toContain('A different account is signed in now.');
  expect(operations().filter(({ method }) => method === 'POST')).toHaveLength(0);
  expect((await send(adaKey)).status).toBe(303);
});

const long = 'x'.repeat(200);

test.each([
  [{ id: `${long}a` }, { id: `${long}b` }],
  [
    { name: 'Kim', handle: '@kim' },
    { name: 'Kim', handle: '@other' },
  ],
])(
  'two people who differ in only part of the profile stay distinct [W13]',
  async (person, other) => {
    signIn();
    platform.on('/user', json(200, person));
    const page = await (await site.send('/studio')).text();
    const [, account = ''] = /name="account" value="([^"]+)"/.exec(page) ?? [];
    expect(account).not.toBe('');
    const send = () =>
      site.send('/studio', {
        method: 'POST',
        headers: { origin: 'https://site.example' },
        body: new URLSearchParams({ prompt: 'a fox', account }),
      });
    expect((await send()).status).toBe(303);
    platform.on('/user', json(200, other));
    expect((await send()).status).toBe(409);
  },
);

test.each(['a[100000000]=x', 'a=&'.repeat(60_000), '__intent__=x', 'a.'.repeat(20_000) + 'a=x'])(
  'unknown form fields are not parsed (%#)',
  async (fields) => {
    platform.on('/user', json(401, { error: 'signed out' }));
    const response = await site.send('/studio', {
      method: 'POST',
      headers: {
        origin: 'https://site.example',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `prompt=a+fox&${fields}`,
    });
    expect(response.status).toBe(401);
    expect((await response.text()).length).toBeLessThan(50_000);
  },
);

test('with the platform unavailable, the studio shows its page without a redirect to sign-in [W15] [W33]', async () => {
  platform.on('/user', json(503, { error: 'canary' }));
  const response = await site.send('/studio');
  expect([response.status, response.headers.has('location')]).toEqual([200, false]);
  const page = await response.text();
  expect(page).toContain('Sign-in is unavailable');
  expect(page).not.toContain('canary');
});
