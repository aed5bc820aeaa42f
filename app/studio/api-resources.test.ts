/** The studio's other resources: what they request from the platform, and what they refuse. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { toSafeProfile } from '@gatehouse/platform';
import type { CreditHistory } from '~/platform/credits/credits';
import { onUpstreamFailure } from '@gatehouse/platform/server';
import { startStudioOnPlatform } from '~/testing/studio/studio-on-platform';
import { ada } from '~/testing/platform/platform-with-ada';
import { done, png } from '~/testing/studio/generation-data';
import { bytes, file, json } from '@gatehouse/platform/testing/upstream-double';
import { postJson } from '~/testing/whole-site';

const { platform, site, signIn, signOut, operations } = await startStudioOnPlatform();

const requested = () => operations().map(({ method, path }) => `${method} ${path}`);
const seen = async (response: Response) => [response.status, await response.text()];
const refusal = (status: number, code: string) => [status, JSON.stringify({ error: code })];

const workspaces = {
  items: [
    { id: 'w1', name: 'Own', role: 'owner', can_generate: true, credits: 7, internal: 'canary' },
    { id: 'w2', name: 'Odd', role: 'emperor', can_generate: true, credits: 7 },
  ],
  chosen: 'w1',
};

const credits = {
  balance: 7,
  days: [{ day: '2026-11-21', spent: 1, balance: 7 }],
  entries: [
    { id: 'e1', at: '2026-11-21T07:00:00Z', change: -1, balance: 7, reason: 'generation' },
    { id: 'e2', at: '2026-11-20T07:00:00Z', change: 8, balance: 8, reason: 'bribe' },
  ],
  next_cursor: null,
};

const account = `account=${toSafeProfile(ada).key}`;

const upload = (body: string | Buffer, query = `?${account}`) =>
  site.send(`/api/media${query}`, {
    method: 'POST',
    headers: { origin: 'https://site.example', 'content-type': 'image/png' },
    body: new Uint8Array(Buffer.from(body)),
  });

test('workspaces are safe data without unreadable items, and one can be chosen [W20]', async () => {
  signIn();
  platform.on('/workspaces', json(200, workspaces));
  platform.on('/workspaces/w%2F1/choose', bytes(204, ''));
  expect(await (await site.send('/api/workspaces')).json()).toEqual({
    items: [{ id: 'w1', name: 'Own', role: 'owner', canGenerate: true, credits: 7 }],
    chosen: 'w1',
  });
  expect((await site.send('/api/workspaces', postJson({ id: 'w/1' }))).status).toBe(204);
  expect(requested()).toEqual(['GET /workspaces', 'POST /workspaces/w%2F1/choose']);
  const nothing = await site.send('/api/workspaces', postJson({ id: '' }));
  expect(await seen(nothing)).toEqual(refusal(422, 'invalid_body'));
});

test('a workspace that no longer exists is 409 for every operation', async () => {
  signIn();
  platform.on('*', json(409, { error: 'workspace_gone', reported: 'canary' }));
  for (const path of ['/workspaces/w9/choose', '/generations', '/media', '/credits', '/estimate']) {
    platform.on(path, json(409, { error: 'workspace_gone', reported: 'canary' }));
  }
  const key = { 'idempotency-key': 'a-key-of-a-test' };
  for (const response of [
    await site.send('/api/workspaces', postJson({ id: 'w9' })),
    await site.send('/api/generations?workspace=w9'),
    await site.send(
      `/api/generations?${account}&workspace=w9`,
      postJson({ prompts: ['a fox'] }, key),
    ),
    await site.send('/api/generations/estimate?workspace=w9'),
    await site.send('/api/credits?workspace=w9'),
    await upload(png, `?${account}&workspace=w9`),
  ]) {
    expect(await seen(response)).toEqual(refusal(409, 'workspace_gone'));
  }
});

test('credits are safe data, and an estimate says whether they suffice [W20]', async () => {
  signIn();
  platform.on('/credits', json(200, credits));
  platform.on('/estimate', json(200, { total: 10, each: 5, balance: 7, internal: 'canary' }));
  expect(await (await site.send('/api/credits?workspace=w1&cursor=c1')).json()).toEqual({
    balance: 7,
    days: credits.days,
    entries: [{ ...credits.entries[0], generation: null }],
    nextCursor: null,
  });
  const query = 'kind=clip&aspectRatio=9:16&count=2&references=1';
  expect(await (await site.send(`/api/generations/estimate?${query}`)).json()).toEqual({
    total: 10,
    each: 5,
    balance: 7,
    covered: false,
  });
  expect(requested()).toEqual([
    'GET /credits?limit=50&cursor=c1&workspace=w1',
    'GET /estimate?kind=clip&aspect_ratio=9%3A16&count=2&references=1',
  ]);
});

const days = Array.from({ length: 90 }, (_, day) => ({
  day: new Date(Date.UTC(2026, 7, 24 + day)).toISOString().slice(0, 10),
  spent: day,
  balance: 7,
}));

test('of more days than four weeks, the last ones are shown', async () => {
  signIn();
  platform.on('/credits', json(200, { ...credits, days }));
  const history = (await (await site.send('/api/credits')).json()) as CreditHistory;
  expect(history.days).toEqual(days.slice(-28));
});

const many = <T extends object>(count: number, item: T) =>
  Array.from({ length: count }, (_, at) => ({ ...item, id: `${at}` }));

test.each([
  [
    'workspaces',
    '/workspaces',
    { chosen: 'w1', items: [{ id: 'odd' }, ...many(120, { ...workspaces.items[0] })] },
    99,
    '22 of 121 items left out',
  ],
  [
    'credit entries',
    '/credits',
    { ...credits, entries: [{ id: 'odd' }, ...many(60, { ...credits.entries[0] })] },
    49,
    '12 of 61 items left out',
  ],
])(
  'a page of %s is held to its size, without unreadable items, which are logged',
  async (_, path, body, count, reason) => {
    signIn();
    const events: unknown[] = [];
    onUpstreamFailure((failure) => events.push(failure));
    platform.on(path, json(200, body));
    const page = (await (await site.send(`/api${path}`)).json()) as {
      items?: unknown[];
      entries?: unknown[];
    };
    expect(page.items ?? page.entries).toHaveLength(count);
    expect(events).toEqual([expect.objectContaining({ reason })]);
  },
);

test.each(['kind=statue', 'aspectRatio=2:1', 'count=7', 'count=x', 'references=5', 'count=1.5'])(
  'an estimate of %s is 422, without an operation',
  async (query) => {
    signIn();
    const response = await site.send(`/api/generations/estimate?${query}`);
    expect(await seen(response)).toEqual(refusal(422, 'invalid_order'));
    expect(operations()).toEqual([]);
  },
);

test('a generation can be canceled, removed and restored', async () => {
  signIn();
  platform.on('/generations/g1/cancel', json(200, { ...done, status: 'canceled', output: null }));
  platform.on('/generations/g1/restore', json(200, done));
  const send = (method: string, path: string) =>
    site.send(path, { method, headers: { origin: 'https://site.example' } });
  const canceled = await send('POST', '/api/generations/g1/cancel');
  expect(await canceled.json()).toMatchObject({ id: 'g1', status: 'canceled', output: null });
  expect((await send('DELETE', '/api/generations/g1')).status).toBe(204);
  expect(await (await send('POST', '/api/generations/g1/restore')).json()).toMatchObject({
    status: 'succeeded',
  });
  expect(requested()).toEqual([
    'POST /generations/g1/cancel',
    'DELETE /generations/g1',
    'POST /generations/g1/restore',
  ]);
  platform.on('/generations/g1/cancel', json(409, { error: 'canary' }));
  expect(await seen(await send('POST', '/api/generations/g1/cancel'))).toEqual(
    refusal(409, 'already_finished'),
  );
});

test.each(['cancel', 'restore'])(
  'a generation that the platform describes unreadably after %s: 204, not a failure',
  async (operation) => {
    signIn();
    const path = `/generations/g1/${operation}`;
    platform.on(path, json(200, { ...done, status: 'exploded' }));
    const events: unknown[] = [];
    onUpstreamFailure((failure) => events.push(failure));
    const headers = { origin: 'https://site.example' };
    const response = await site.send(`/api${path}`, { method: 'POST', headers });
    expect(await seen(response)).toEqual([204, '']);
    expect(events).toEqual([expect.objectContaining({ path, reason: '1 of 1 items left out' })]);
  },
);

test('another person’s resources are 404 for every operation, like missing ones [W13]', async () => {
  signIn();
  platform.on('*', json(404, { error: 'canary' }));
  for (const [method, path] of [
    ['GET', '/api/generations/theirs'],
    ['DELETE', '/api/generations/theirs'],
    ['POST', '/api/generations/theirs/cancel'],
    ['POST', '/api/generations/theirs/restore'],
    ['DELETE', '/api/media/theirs'],
    ['GET', '/api/media/theirs/file.png'],
    ['GET', '/api/media/..%2fuser/file.png'],
    ['GET', '/api/media/m1/file.exe'],
    ['GET', '/api/media/m1/%E2%80%AEgnp.exe'],
  ] as const) {
    const headers = { origin: 'https://site.example' };
    const response = await site.send(path, { method, headers });
    expect([path, ...(await seen(response))]).toEqual([path, ...refusal(404, 'not_found')]);
  }
});

test('an uploaded file reaches the platform, and is served with its own type [W20 W27]', async () => {
  signIn();
  const sha256 = createHash('sha256').update(png).digest('hex');
  platform.on('/media', json(201, { id: 'm1', bytes: png.length, sha256, storage: 'canary' }));
  platform.on('/media/m1', file(png, { 'content-type': 'text/html' }));
  const sent = await upload(png, `?${account}&workspace=w1`);
  expect(sent.status).toBe(201);
  const media = (await sent.json()) as { url: string };
  expect(media).toEqual({
    id: 'm1',
    contentType: 'image/png',
    bytes: png.length,
    sha256,
    url: '/api/media/m1/file.png',
    filename: 'm1.png',
  });
  const part = await site.send(media.url, { headers: { range: 'bytes=1-3' } });
  expect([part.status, part.headers.get('content-type'), await part.text()]).toEqual([
    206,
    'image/png',
    'PNG',
  ]);
});

test.each([
  [
    'a page declared a picture',
    '<!doctype html><script>alert(1)</script>',
    undefined,
    415,
    'unsupported_media_type',
  ],
  [
    'an archive',
    Buffer.from('504b0304140000000800', 'hex'),
    undefined,
    415,
    'unsupported_media_type',
  ],
  ['an empty file', '', undefined, 415, 'unsupported_media_type'],
  ['a file chosen by another account', png, '?account=another', 409, 'account_changed'],
  ['a file chosen by nobody', png, '', 409, 'account_changed'],
])('%s is refused without a call', async (_, body, query, status, code) => {
  signIn();
  expect(await seen(await upload(body, query))).toEqual(refusal(status, code));
  expect(operations()).toEqual([]);
});

test.each([
  [402, { error: 'canary' }, 'insufficient_credits'],
  [403, { error: 'canary' }, 'forbidden'],
  [409, { error: 'idempotency_key_reused' }, 'idempotency_key_reused'],
  [422, { error: 'prompt_refused' }, 'prompt_refused'],
  [422, { error: 'reference_gone' }, 'reference_gone'],
  [429, { error: 'too_many_running' }, 'too_many_running'],
  [429, { error: 'canary' }, 'rate_limited'],
])(
  'an order that the platform refuses with %i %j gets the site’s code %s',
  async (status, body, code) => {
    signIn();
    platform.on('/generations', json(status, { ...body, message: 'canary' }));
    const order = postJson({ prompts: ['a fox'] }, { 'idempotency-key': 'a-key-of-a-test' });
    const response = await site.send(`/api/generations?${account}`, order);
    expect(await seen(response)).toEqual(refusal(status, code));
  },
);

const resources = [
  ['/api/generations/estimate', ['GET']],
  ['/api/generations/g1', ['GET', 'DELETE']],
  ['/api/generations/g1/cancel', ['POST']],
  ['/api/generations/g1/restore', ['POST']],
  ['/api/media', ['POST']],
  ['/api/media/m1', ['DELETE']],
  ['/api/media/m1/file.png', ['GET']],
  ['/api/workspaces', ['GET', 'POST']],
  ['/api/credits', ['GET']],
] as const;

test.each(resources)(
  'signed out, %s does nothing; signed in, it allows only %s [W09 W10]',
  async (path, taken) => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
    const send = (method: string) => {
      const init = { ...postJson({}), method };
      return site.send(path, method === 'GET' ? {} : init);
    };
    signOut();
    for (const method of methods) {
      // Which methods an address allows is public.
      const { status } = await send(method);
      expect([method, [401, 405].includes(status)]).toEqual([method, true]);
      if ((taken as readonly string[]).includes(method)) expect(status).toBe(401);
    }
    expect(operations()).toEqual([]);
    signIn();
    for (const method of methods.filter((name) => !(taken as readonly string[]).includes(name))) {
      expect([method, (await send(method)).status]).toEqual([method, 405]);
    }
    expect(operations()).toEqual([]);
  },
);
