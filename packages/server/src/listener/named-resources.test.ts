/** Resources outside `/api/` have its rules: inert headers, no data address, webhooks from anywhere, other posts from the site alone. */
import type { ActionFunctionArgs } from '@remix-run/node';
import { beforeEach, expect, test, vi } from 'vitest';
import { entry } from '../../test/small-site.tsx';
import { remix } from '../framework/remix/index.ts';
import { serverBuildOf } from '../framework/remix/testing/server-build.ts';
import { resourcePaths } from '../requests/resource-paths.ts';
import { inert, ours, settings, startListener } from '../testing/listening-site.ts';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

const isResource = resourcePaths(['/feed.xml', '/webhooks/*']);
const { doubles, send } = await startListener(
  { framework: remix, isResource, hasCheckedIdentity: () => false },
  settings,
);

const tell = ({ context, request }: ActionFunctionArgs) =>
  Response.json({ ...context, cookie: request.headers.get('cookie') });
const { match } = remix.createHandler(
  serverBuildOf(
    {
      root: { id: 'root', path: '', module: { default: () => null } },
      feed: {
        ...{ id: 'feed', parentId: 'root', path: 'feed.xml' },
        module: {
          default: undefined,
          loader: () => new Response('<feed/>', { headers: { 'content-type': 'text/xml' } }),
          action: () => new Response('posted'),
          handle: { access: 'none' },
        },
      },
      hook: {
        ...{ id: 'hook', parentId: 'root', path: 'webhooks/:service' },
        module: { default: undefined, action: tell, handle: { access: 'machine', body: 16 } },
      },
    },
    entry,
  ),
  'production',
  { isResource },
);

beforeEach(() => {
  doubles.match = match;
});

const foreign = { 'sec-fetch-site': 'cross-site', cookie: '__Host-session=canary' };

test.each(['/feed.xml', '/FEED.xml', '/%66eed.xml', '/feed.xml/'])(
  '%s is inert',
  async (target) => {
    const { status, headers, body } = await send(target);
    expect([status, body, headers['cache-control']]).toEqual([200, '<feed/>', 'private, no-store']);
    expect(headers['content-security-policy']).toBe(inert['content-security-policy']);
  },
);

test('it has no data address, and accepts posts of the site alone [W19]', async () => {
  expect((await send('/feed.xml.data')).status).toBe(404);
  expect((await send('/feed.xml', { method: 'POST', headers: foreign })).status).toBe(403);
  expect((await send('/feed.xml', { method: 'POST', headers: ours })).body).toBe('posted');
});

test.each(['/webhooks/kiln', '/Webhooks/kiln', '/%77ebhooks/kiln/'])(
  'a machine may call %s from anywhere, signed out, within its limit',
  async (target) => {
    const post = (body: string) => send(target, { method: 'POST', headers: foreign, body });
    const { status, body } = await post('paid');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ anonymous: true, cookie: null, kind: 'resource' });
    expect((await post('x'.repeat(17))).status).toBe(413);
  },
);
