/** The studio's JSON routes. */
import { expect, test } from 'vitest';
import { toSafeProfile } from '@gatehouse/platform';
import { onUpstreamFailure } from '@gatehouse/platform/server';
import { startStudioOnPlatform } from '~/testing/studio/studio-on-platform';
import { ada } from '~/testing/platform/platform-with-ada';
import { done, running } from '~/testing/studio/generation-data';
import { json } from '@gatehouse/platform/testing/upstream-double';
import { postJson } from '~/testing/whole-site';

/** An order as the page's script sends it. */
const post = (value: unknown, headers: Record<string, string> = {}) =>
  postJson(value, { 'idempotency-key': 'a-key-of-a-test', ...headers });

/** Where a page of Ada's submits orders. */
const orders = `/api/generations?account=${toSafeProfile(ada).key}`;

const { platform, site, signIn, operations } = await startStudioOnPlatform();

test('another person’s picture is 404, like a missing one [W13] [W20]', async () => {
  signIn();
  platform.on('/generations/theirs', json(404, { error: 'canary' }));
  for (const path of ['/api/generations/theirs', '/api/generations/never-was']) {
    const response = await site.send(path);
    expect([response.status, await response.text()]).toEqual([404, '{"error":"not_found"}']);
  }
});

test('a list with a cursor that the platform does not know is refused', async () => {
  signIn();
  platform.on('/generations', json(422, { error: 'canary' }));
  const response = await site.send('/api/generations?cursor=zzz');
  expect([response.status, await response.json()]).toEqual([422, { error: 'invalid_cursor' }]);
});

test('a JSON order is submitted with its key in its workspace: 201, with safe data [W20]', async () => {
  signIn();
  const order = { prompts: [' a fox\r\n'], aspectRatio: '16:9', references: ['m1'], model: 'x' };
  const response = await site.send(`${orders}&workspace=w1`, post(order));
  expect(response.status).toBe(201);
  const item = { id: 'g1', status: 'running', output: null };
  expect(await response.json()).toMatchObject({ items: [item] });
  const [sent, ...others] = operations();
  expect([sent?.path, others]).toEqual(['/generations?workspace=w1', []]);
  expect(JSON.parse(sent?.body ?? '')).toEqual({
    prompts: ['a fox'],
    kind: 'picture',
    aspect_ratio: '16:9',
    references: ['m1'],
  });
  expect(sent?.headers['idempotency-key']).toBe('a-key-of-a-test');
});

test.each([
  ['some', [running, { ...running, id: 'g2', status: 'exploded' }], [{ id: 'g1' }], 1],
  ['all', [{ ...running, status: 'exploded' }, null], [], 2],
])(
  'an accepted order of which %s generations are unreadable is 201 with the others, at each attempt',
  async (_, items, readable, lost) => {
    signIn();
    const events: unknown[] = [];
    onUpstreamFailure((failure) => events.push(failure));
    platform.on('/generations', json(201, { items }));
    const order = post({ prompts: ['a fox', 'an owl'] });
    for (const response of [await site.send(orders, order), await site.send(orders, order)]) {
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject({ items: readable });
    }
    const line = expect.objectContaining({ reason: `${lost} of 2 items left out` }) as unknown;
    expect(events).toEqual([line, line]);
  },
);

test('an order is held to its size, and an answer without a list is 502', async () => {
  signIn();
  platform.on('/generations', json(201, { items: [running, running] }));
  const order = post({ prompts: ['a fox'] });
  const { items } = (await (await site.send(orders, order)).json()) as {
    items: unknown[];
  };
  expect(items).toHaveLength(1);
  platform.on('/generations', json(201, { sent: true }));
  expect((await site.send(orders, order)).status).toBe(502);
});

test.each(['', '?account=', '?account=another'])(
  'an order at /api/generations%s is not from a page of this account: 409, without an operation',
  async (query) => {
    signIn();
    const order = post({ prompts: ['a fox'] });
    const response = await site.send(`/api/generations${query}`, order);
    expect([response.status, await response.json()]).toEqual([409, { error: 'account_changed' }]);
    expect(operations()).toHaveLength(0);
  },
);

test.each([[null], ['short'], ['with a space'], ['x'.repeat(201)]])(
  'an order with the idempotency key %j is 400, without an operation',
  async (key) => {
    signIn();
    const headers = key === null ? {} : { 'idempotency-key': key };
    const response = await site.send(orders, postJson({ prompts: ['a fox'] }, headers));
    const refusal = { error: 'idempotency_key_required' };
    expect([response.status, await response.json()]).toEqual([400, refusal]);
    expect(operations()).toHaveLength(0);
  },
);

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/jsonp', 415],
  ['application/json-patch+json', 415],
  ['text/html, application/json', 415],
  ['', 415],
  ['application/json', 201],
  ['application/json; charset=utf-8', 201],
  ['application/json;charset=utf-8', 201],
  ['APPLICATION/JSON', 201],
])('JSON with the content type %j is %i', async (type, status) => {
  signIn();
  const init = post({ prompts: ['a fox'] }, { 'content-type': type });
  const response = await site.send(orders, init);
  expect(response.status).toBe(status);
  expect(operations()).toHaveLength(status === 201 ? 1 : 0);
});

test.each([
  ['no content', ''],
  ['truncated JSON', '{"prompt":'],
  ['two JSON values', '{}{}'],
  ['deep nesting', '['.repeat(50_000)],
])('a body with %s is 400, without an operation', async (_, body) => {
  signIn();
  const response = await site.send(orders, post(body));
  expect([response.status, await response.json()]).toEqual([400, { error: 'malformed_json' }]);
  expect(operations()).toHaveLength(0);
});

const words = (...prompts: unknown[]) => ({ prompts });

test.each<[string, unknown, string]>([
  ['null', 'null', 'invalid_order'],
  ['a list', '[]', 'invalid_order'],
  ['a string', '"a fox"', 'invalid_order'],
  ['no prompts', '{}', 'invalid_prompt'],
  ['an empty list of prompts', words(), 'invalid_prompt'],
  ['one prompt too many', words('1', '2', '3', '4', '5', '6', '7'), 'invalid_prompt'],
  ['an empty prompt', words('a fox', ''), 'invalid_prompt'],
  ['a blank prompt', words(' \n\t '), 'invalid_prompt'],
  ['an invisible prompt', words('\u200b'), 'invalid_prompt'],
  ['a huge prompt', words('x'.repeat(100_000)), 'invalid_prompt'],
  ['a control character', words('a\u0007'), 'invalid_prompt'],
  ['a lone surrogate', '{"prompts":["\\ud83e"]}', 'invalid_prompt'],
  ['a number', words(7), 'invalid_prompt'],
  ['an unknown kind', { ...words('a fox'), kind: 'statue' }, 'invalid_order'],
  ['an unknown format', { ...words('a fox'), aspectRatio: '2:1' }, 'invalid_order'],
  [
    'one reference too many',
    { ...words('a'), references: ['1', '2', '3', '4', '5'] },
    'invalid_order',
  ],
  ['an invalid reference', { ...words('a'), references: [7] }, 'invalid_order'],
])('JSON with %s is 422, without an operation', async (_, body, code) => {
  signIn();
  const response = await site.send(orders, post(body));
  expect([response.status, await response.json()]).toEqual([422, { error: code }]);
  expect(operations()).toHaveLength(0);
});

test.each(['PUT', 'PATCH', 'DELETE'])(
  '%s on a list or a picture is refused without an operation',
  async (method) => {
    signIn();
    const init = { ...post({ prompts: ['a fox'] }), method };
    const response = await site.send(orders, init);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    if (method !== 'DELETE') {
      expect((await site.send('/api/generations/g1', init)).status).toBe(405);
    }
    expect((await site.send('/studio', init)).status).toBe(405);
    expect(operations().filter(({ method }) => method !== 'GET')).toHaveLength(0);
  },
);

test('a lone surrogate in a platform’s cursor breaks no page', async () => {
  platform.on('/user', json(200, ada));
  platform.on('/generations', json(200, { items: [done], next_cursor: '\ud800' }));
  expect((await site.send('/api/generations')).status).toBe(502);
  expect((await site.send('/studio')).status).toBe(200);
});

test('a list’s filters and workspace are passed on, and invalid filters are not', async () => {
  signIn();
  await site.send('/api/generations?kind=clip&status=failed&workspace=w%261');
  await site.send('/api/generations?kind=statue&status=late');
  expect(operations().map(({ path }) => path)).toEqual([
    '/generations?limit=24&kind=clip&status=failed&workspace=w%261',
    '/generations?limit=24',
  ]);
});
