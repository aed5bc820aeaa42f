/** Routes that programs elsewhere call, such as webhooks: any site may, and nobody is signed in. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { beforeEach, expect, test, vi } from 'vitest';
import { checkPlatformUser, guardFailureResponse } from '~/platform/platform.server';
import { RouteHandleError, type RouteHandle } from '~/route-handle';
import { startListeningSite } from '~/testing/listening-site';
import { serverBuildOf } from '~/testing/server-build';
import { json } from '~/testing/upstream-double';
import { startSite } from '~/testing/whole-site';
import { createRemixHandler } from './remix-handler.server';

vi.mock('./log.server', () => import('~/testing/log-double'));

const { platform, world, ask } = await startListeningSite();

const machine = { access: 'machine', body: 16 } satisfies RouteHandle;

/** Tells what reached it, and what the guard says. */
async function tell({ request, context }: LoaderFunctionArgs) {
  return Response.json({
    guard: await checkPlatformUser(context),
    cookie: request.headers.get('cookie'),
    origin: request.headers.get('origin'),
    signature: request.headers.get('x-hub-signature-256'),
    body: await request.text(),
  });
}

const guarded = async ({ context }: ActionFunctionArgs) => {
  const guard = await checkPlatformUser(context);
  return guard.ok ? new Response('in') : guardFailureResponse(guard);
};

const site = await startSite({
  'api/hook': { default: undefined, loader: tell, action: tell, handle: machine },
  'api/hook/guarded': { default: undefined, action: guarded, handle: machine },
  'api/plain': { default: undefined, loader: tell, action: tell },
});

beforeEach(() => {
  platform.on('/user', json(200, { id: 'u1', name: 'Ada' }));
  world.remix = site.remix;
  world.handle = site.routeHandle;
});

const foreign = {
  'sec-fetch-site': 'cross-site',
  origin: 'https://evil.test',
  cookie: '__Host-session=canary',
  'x-user-id': 'u1',
  'x-hub-signature-256': 'sha256=00',
};

test.each(['/api/hook', '/API/hook', '/%61pi/hook/'])(
  'a machine may call %s from anywhere, and nobody is signed in',
  async (target) => {
    const answer = await ask(target, { method: 'POST', headers: foreign, body: 'paid' });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({
      guard: { ok: false, status: 401, body: null },
      cookie: null,
      origin: 'https://evil.test',
      signature: 'sha256=00',
      body: 'paid',
    });
    expect(platform.requests).toHaveLength(0);
  },
);

test.each(['cross-site', 'same-site', 'same-origin', undefined])(
  'nobody is signed in to it, though the request is %s, by any method',
  async (from) => {
    const headers = { ...(from && { 'sec-fetch-site': from }), cookie: 'canary' };
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, body } = await ask('/api/hook', { method, headers });
      expect([method, status]).toEqual([method, 200]);
      expect(JSON.parse(body)).toMatchObject({ guard: { ok: false, status: 401 }, cookie: null });
    }
    expect(platform.requests).toHaveLength(0);
  },
);

test('an operation that is guarded refuses every machine', async () => {
  const answer = await ask('/api/hook/guarded', { method: 'POST', headers: foreign });
  expect(answer).toMatchObject({ status: 401, body: 'null' });
  expect(platform.requests).toHaveLength(0);
});

test('its body is bounded as that of any route', async () => {
  const answer = await ask('/api/hook', { method: 'POST', headers: foreign, body: 'x'.repeat(17) });
  expect(answer).toMatchObject({ status: 413, body: '{"error":"body_too_large"}' });
});

test.each([
  '/api/plain',
  '/api/hook/other',
  '/api/hook.data',
  '/',
  '/hook',
  '/studio',
  '/api/user',
])('another site may not post to %s', async (target) => {
  const { status } = await ask(target, { method: 'POST', headers: foreign, body: 'paid' });
  expect(status).toBe(target.endsWith('.data') ? 404 : 403);
  expect(world.seen).toHaveLength(0);
});

test('to another route the visitor is known, and the cookie goes through', async () => {
  const headers = { 'sec-fetch-site': 'same-origin', cookie: 'mine=1' };
  const { body } = await ask('/api/plain', { method: 'POST', headers });
  expect(JSON.parse(body)).toMatchObject({ guard: { ok: true }, cookie: 'mine=1' });
});

test.each<[string, Record<string, object>]>([
  ['hook', { hook: { path: 'api/hook', module: { default: () => null, handle: machine } } }],
  ['hook', { hook: { path: 'hook', module: { action: tell, handle: machine } } }],
  [
    'leaf',
    {
      branch: { path: 'branch', module: {} },
      leaf: { path: 'api/x', parentId: 'branch', module: { action: tell, handle: machine } },
    },
  ],
])('a page that calls itself a machine is refused at the start: %s, %#', (id, routes) => {
  const build = serverBuildOf(
    Object.fromEntries(
      Object.entries(routes).map(([name, route]) => [name, { id: name, ...route }]),
    ) as never,
  );
  expect(() => createRemixHandler(build, 'production')).toThrow(
    new RouteHandleError(
      `${id}: access 'machine' is for a resource route under /api/, not for a page.`,
    ),
  );
});
