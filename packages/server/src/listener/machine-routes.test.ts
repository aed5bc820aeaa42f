/** Routes that other programs call, such as webhooks: cross-site requests are allowed, and signed out. */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { beforeEach, expect, test, vi } from 'vitest';
import { RouteHandleError, type RouteHandle } from '../route.ts';
import { isResource, startListeningSite } from '../testing/listening-site.ts';
import { remix } from '../framework/remix/index.ts';
import { serverBuildOf } from '../framework/remix/testing/server-build.ts';
import { createSmallSite, entry } from '../../test/small-site.tsx';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

const { doubles, send } = await startListeningSite();

const machine = { access: 'machine', body: 16 } satisfies RouteHandle;

/** Reports what reached the route. */
async function tell({ request, context }: LoaderFunctionArgs) {
  return Response.json({
    anonymous: context.anonymous ?? false,
    cookie: request.headers.get('cookie'),
    identity: request.headers.get('x-user-id'),
    origin: request.headers.get('origin'),
    signature: request.headers.get('x-hub-signature-256'),
    body: await request.text(),
  });
}

const { match } = createSmallSite({
  'api/hook': { default: undefined, loader: tell, action: tell, handle: machine },
  'api/plain': { default: undefined, loader: tell, action: tell },
});

beforeEach(() => {
  doubles.match = match;
});

const foreign = {
  'sec-fetch-site': 'cross-site',
  origin: 'https://evil.test',
  cookie: '__Host-session=canary',
  'x-user-id': 'u1',
  'x-hub-signature-256': 'sha256=00',
};

test.each(['/api/hook', '/API/hook', '/%61pi/hook/'])(
  'a machine may call %s from anywhere, signed out',
  async (target) => {
    const response = await send(target, { method: 'POST', headers: foreign, body: 'paid' });
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body)).toEqual({
      anonymous: true,
      cookie: null,
      identity: null,
      origin: 'https://evil.test',
      signature: 'sha256=00',
      body: 'paid',
    });
  },
);

const credentials = {
  authorization: 'HMAC canary',
  'x-auth-signature': 'canary',
  'x-auth-timestamp': '1',
  'X-Access-Token': 'canary',
  'x-token': 'canary',
};
const identities = {
  'proxy-authorization': 'canary',
  'x-auth-request-email': 'canary',
  'x-auth-user': 'canary',
  x_auth_token: 'canary',
  'x-authenticated-user': 'canary',
  'x-access-user': 'canary',
  'x-platform-visitor': 'canary',
  'x-user': 'canary',
  'x-forwarded-for': 'canary',
  'x-session-token': 'canary',
};

test('only a machine route sees its caller’s credentials, and no identity [W01]', async () => {
  const headers = { ...identities, ...credentials, 'sec-fetch-site': 'same-origin' };
  const names = [...Object.keys(identities), ...Object.keys(credentials)];
  const action = ({ request }: LoaderFunctionArgs) =>
    Response.json(names.filter((name) => request.headers.has(name)));
  const { match } = createSmallSite({
    'api/hook': { default: undefined, action, handle: machine },
    'api/plain': { default: undefined, action },
  });
  doubles.match = match;
  const seen = async (path: string) => {
    const { body } = await send(path, { method: 'POST', headers });
    return JSON.parse(body) as string[];
  };
  expect(await seen('/api/hook')).toEqual(Object.keys(credentials));
  expect(await seen('/api/plain')).toEqual([]);
});

test.each(['cross-site', 'same-site', 'same-origin', undefined])(
  'it is signed out even for a %s request, with any method',
  async (from) => {
    const headers = { ...(from && { 'sec-fetch-site': from }), cookie: 'canary' };
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, body } = await send('/api/hook', { method, headers });
      expect([method, status]).toEqual([method, 200]);
      expect(JSON.parse(body)).toMatchObject({ anonymous: true, cookie: null });
    }
  },
);

test('its body is limited like any route’s', async () => {
  const response = await send('/api/hook', {
    method: 'POST',
    headers: foreign,
    body: 'x'.repeat(17),
  });
  expect(response).toMatchObject({ status: 413, body: '{"error":"body_too_large"}' });
});

test.each(['/api/plain', '/api/hook/other', '/api/hook.data', '/', '/hook', '/page', '/api/user'])(
  'another site may not post to %s',
  async (target) => {
    const { status } = await send(target, { method: 'POST', headers: foreign, body: 'paid' });
    expect(status).toBe(target.endsWith('.data') ? 404 : 403);
    expect(doubles.seen).toHaveLength(0);
  },
);

test('other routes still receive the visitor’s cookie', async () => {
  const headers = { 'sec-fetch-site': 'same-origin', cookie: 'mine=1' };
  const { body } = await send('/api/plain', { method: 'POST', headers });
  expect(JSON.parse(body)).toMatchObject({ anonymous: false, cookie: 'mine=1' });
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
])('a page with access machine is rejected at startup: %s, %#', (id, routes) => {
  const build = serverBuildOf(
    Object.fromEntries(
      Object.entries(routes).map(([name, route]) => [name, { id: name, ...route }]),
    ) as never,
    entry,
  );
  expect(() => remix.createHandler(build, 'production', { isResource })).toThrow(
    new RouteHandleError(
      `${id}: access 'machine' is for a resource route: it must be under /api/ or named in \`resources\` of app/site.config.ts, and not be a page.`,
    ),
  );
});
