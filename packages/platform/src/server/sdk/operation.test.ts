/** What a declared operation sends, and what its method makes of the response. */
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { json, bytes, startPlatformDouble } from '../../testing/upstream-double.ts';
import { onUpstreamFailure } from '../upstream/failures.ts';
import { definePlatform } from '../platform.ts';
import { segmentOf } from './calls.ts';
import { body, changed, items, operation, page } from './operation.ts';

const post = z
  .object({ id: z.string(), title_text: z.string() })
  .transform(({ id, title_text: title }) => ({ id, title }));
const pathOf = (id: string) => `/posts/${segmentOf(id)}`;

const posts = {
  list: operation({ get: '/posts', inWorkspace: true, returns: items(post, 2) }),
  search: operation({
    get: '/posts',
    query: ({ word }: { word?: string } = {}) => ({ word, size: '2' }),
    codes: ({ word }: { word?: string } = {}) => (word ? { 422: 'not_ready' } : {}),
    returns: page(post, 2),
  }),
  get: operation({ get: pathOf, codes: { 404: 'not_found' }, returns: body(post) }),
  add: operation({
    post: '/posts',
    inWorkspace: true,
    once: true,
    json: (title: string) => ({ title }),
    returns: body(post),
  }),
  put: operation({ put: pathOf, once: true }),
  rename: operation({
    patch: ({ id }: { id: string; title: string }) => pathOf(id),
    json: ({ title }) => ({ title }),
    returns: changed(post),
  }),
  remove: operation({ delete: pathOf }),
};

const platform = await startPlatformDouble();
const { checkPlatformUser, createPlatformSdk } = definePlatform({
  settings: () => ({ internalUrl: platform.url, offlineDemo: false }),
  operations: { posts },
  demo: () => Promise.reject(new Error('No test here runs a demo.')),
});

async function open(workspace?: string) {
  platform.on('/user', json(200, { id: 'u1' }));
  const guard = await checkPlatformUser({});
  if (!guard.ok) throw new Error('the guard failed');
  return createPlatformSdk(guard, { workspace }).posts;
}

const wire = (id: string) => ({ id, title_text: `Post ${id}`, internal: 'canary' });
const key = { idempotencyKey: 'k1' };

test('the types of the methods follow from the declarations [W12]', () => {
  type Posts = Awaited<ReturnType<typeof open>>;
  interface Post {
    id: string;
    title: string;
  }
  expectTypeOf<Posts['list']>().toEqualTypeOf<() => Promise<Post[]>>();
  expectTypeOf<Posts['search']>().parameters.toEqualTypeOf<[input?: { word?: string }]>();
  expectTypeOf<Posts['search']>().returns.resolves.toEqualTypeOf<{
    items: Post[];
    nextCursor: string | null;
  }>();
  expectTypeOf<Posts['add']>().toEqualTypeOf<
    (input: string, options: { idempotencyKey: string }) => Promise<Post>
  >();
  expectTypeOf<Posts['rename']>().returns.resolves.toEqualTypeOf<Post | null>();
  expectTypeOf<Posts['remove']>().toEqualTypeOf<(input: string) => Promise<void>>();
});

test('a call has the declared method, path, query, body and key, and nothing of the visitor [W01] [W12]', async () => {
  platform.on('*', json(200, { ...wire('p/1'), items: [], next_cursor: null }));
  const sdk = await open('w1');
  await sdk.list();
  await sdk.search();
  await sdk.search({ word: 'a b' });
  await sdk.get('p/1');
  await sdk.add('Hello', key);
  await sdk.put('p1', key);
  await sdk.rename({ id: 'p1', title: 'Hello' });
  await sdk.remove('p1');
  const sent = platform.requests
    .slice(1)
    .map(({ method, path, body, headers }) => [method, path, body, headers['idempotency-key']]);
  expect(sent).toEqual([
    ['GET', '/posts?workspace=w1', '', undefined],
    ['GET', '/posts?size=2', '', undefined],
    ['GET', '/posts?word=a+b&size=2', '', undefined],
    ['GET', '/posts/p%2F1', '', undefined],
    ['POST', '/posts?workspace=w1', '{"title":"Hello"}', 'k1'],
    ['PUT', '/posts/p1', '', 'k1'],
    ['PATCH', '/posts/p1', '{"title":"Hello"}', undefined],
    ['DELETE', '/posts/p1', '', undefined],
  ]);
});

test('a list leaves out and logs what it cannot read, and drops what is not declared [W20]', async () => {
  const reports: unknown[] = [];
  onUpstreamFailure((report) => reports.push(report));
  const sdk = await open();
  const all = { items: [wire('p1'), { id: 7 }, wire('p3')], next_cursor: 'c2' };
  platform.on('/posts', json(200, all));
  expect(await sdk.list()).toEqual([{ id: 'p1', title: 'Post p1' }]);
  expect(await sdk.search()).toEqual({
    items: [{ id: 'p1', title: 'Post p1' }],
    nextCursor: 'c2',
  });
  expect(reports).toMatchObject([
    { path: '/posts', reason: '2 of 3 items left out' },
    { path: '/posts?size=2', reason: '2 of 3 items left out' },
  ]);
});

test('a change that was carried out is no failure, whatever its response describes', async () => {
  const sdk = await open();
  const rename = () => sdk.rename({ id: 'p1', title: 'Hello' });
  platform.on('/posts/p1', json(200, wire('p1')));
  expect(await rename()).toEqual({ id: 'p1', title: 'Post p1' });
  platform.on('/posts/p1', bytes(204, ''));
  expect(await rename()).toBeNull();
  platform.on('/posts/p1', json(200, { id: 7 }));
  expect(await rename()).toBeNull();
  platform.on('/posts/p1', bytes(200, '<html>'));
  await expect(rename()).rejects.toMatchObject({ status: 502 });
});

test.each([
  ['workspace_gone', 'workspace_gone'],
  ['idempotency_key_reused', 'idempotency_key_reused'],
  ['another', 'upstream_unavailable'],
])(
  'a 409 with the code %s to a call with a key in a workspace is %s [W33]',
  async (error, code) => {
    platform.on('/posts', json(409, { error, message: 'canary' }));
    const sdk = await open();
    await expect(sdk.add('Hello', key)).rejects.toMatchObject({ code, message: code });
    await expect(sdk.list()).rejects.toMatchObject({ code: 'workspace_gone' });
    platform.on('/posts/p1', json(409, { error }));
    await expect(sdk.put('p1', key)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await expect(sdk.remove('p1')).rejects.toMatchObject({ code: 'upstream_unavailable' });
  },
);

test('a status means what is declared of it, which may depend on the input [W33]', async () => {
  const sdk = await open();
  platform.on('*', json(422, {}));
  await expect(sdk.search({ word: 'a' })).rejects.toMatchObject({ status: 422, code: 'not_ready' });
  await expect(sdk.search()).rejects.toMatchObject({ status: 502, code: 'upstream_unavailable' });
  platform.on('*', json(404, {}));
  await expect(sdk.get('p1')).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

test('an operation without a method is refused when it is declared', () => {
  expect(() => operation({ path: '/posts' } as never)).toThrow('such as `get`');
});
