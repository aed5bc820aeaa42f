/** This site's settings for its server, through the listener and a platform double. */
import type { ActionFunctionArgs } from '@remix-run/node';
import { expect, test, vi } from 'vitest';
import { checkPlatformUser } from '~/platform.server';
import { createUpstream, guardFailureResponse } from '@gatehouse/platform/server';
import type { RouteHandle } from '~/route-handle';
import { startListeningSite } from './listening-site';
import { logged } from '@gatehouse/server/testing/log-double';
import { json } from '@gatehouse/platform/testing/upstream-double';
import { startSite } from '~/testing/whole-site';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));

const { platform, port, doubles, send } = await startListeningSite();

test.each(['/api/x', '/account'])(
  'a guard at %s throws where caches may keep the response, and asks nobody [W19]',
  async (target) => {
    platform.on('/user', json(200, { name: 'canary' }));
    doubles.handle = { access: 'none', cache: { maxAge: 60 } };
    for (const caught of [false, true]) {
      doubles.remix = async (_request, context) => {
        const guard = checkPlatformUser(context);
        return Response.json(await (caught ? guard.catch(() => null) : guard));
      };
      const { status, headers } = await send(target);
      expect(status).toBe(caught ? 200 : 500);
      expect(headers['cache-control']).toMatch(/no-store/);
    }
    expect(platform.requests).toHaveLength(0);
  },
);

test('the data of such a page tells its root who the visitor is, and no cache keeps it', async () => {
  platform.on('/user', json(200, { name: 'canary' }));
  doubles.handle = { access: 'none', cache: { maxAge: 60 } };
  doubles.remix = async (_request, context) => Response.json(await checkPlatformUser(context));
  const { headers, body } = await send('/account.data');
  expect(body).toContain('canary');
  expect(headers['cache-control']).toBe('private, no-store');
});

test('nothing of a visitor’s request reaches the platform through the relay [W01] [W19]', async () => {
  platform.on('/user', json(200, {}));
  const headers = { authorization: 'canary', 'x-user': 'canary', cookie: 'own=1' };
  await send('/api/user', { headers });
  expect(Object.keys(platform.requests[0]?.headers ?? {}).sort()).toEqual(['connection', 'host']);
});

test('a response that the platform truncates is a failed response, not an error of the site', async () => {
  let cut: () => void = () => undefined;
  platform.on('/file', (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.write(Buffer.alloc(1_000));
    cut = () => response.destroy();
  });
  doubles.remix = async () => {
    const { body } = await createUpstream(() => platform.url).open({
      path: '/file',
      maxBytes: 2_000,
    });
    return new Response(body, { headers: { 'content-type': 'image/png' } });
  };
  const heard = await fetch(`http://127.0.0.1:${port}/api/x`);
  cut();
  await expect(heard.blob()).rejects.toThrow();
  await expect.poll(logged).toMatchObject([{ level: 30, msg: 'request', status: 'aborted' }]);
});

test('a guarded operation refuses a machine’s request without calling the platform', async () => {
  platform.on('/user', json(200, { id: 'u1', name: 'Ada' }));
  const guarded = async ({ context }: ActionFunctionArgs) => {
    const guard = await checkPlatformUser(context);
    return guard.ok ? new Response('in') : guardFailureResponse(guard);
  };
  const handle = { access: 'machine' } satisfies RouteHandle;
  const site = await startSite({
    'api/hook': { default: undefined, action: guarded, handle },
    'api/plain': { default: undefined, action: guarded },
  });
  doubles.match = site.match;
  const post = (target: string, from: string) =>
    send(target, { method: 'POST', headers: { 'sec-fetch-site': from, cookie: 'session=ada' } });
  for (const from of ['cross-site', 'same-origin']) {
    expect(await post('/api/hook', from)).toMatchObject({ status: 401, body: 'null' });
  }
  expect(platform.requests).toHaveLength(0);
  expect((await post('/api/plain', 'cross-site')).status).toBe(403);
  expect(await post('/api/plain', 'same-origin')).toMatchObject({ status: 200, body: 'in' });
});
