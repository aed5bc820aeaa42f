/** Which route responds, and how it is rendered: through the listener, for every kind of request. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import {
  Form,
  Link,
  Outlet,
  PrefetchPageLinks,
  useActionData,
  useLoaderData,
  useParams,
} from '@remix-run/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ours, settings, startListeningSite } from '../../testing/listening-site.ts';
import { createSmallSite, type Module } from '../../../test/small-site.tsx';
import type { RouteHandle } from '../../route.ts';

vi.mock('../../log.ts', () => import('../../testing/log-double.ts'));

const { doubles, send } = await startListeningSite();

/** The loaders and actions that ran, in any order. */
const ran: string[] = [];

function page(name: string, handle: RouteHandle = {}): Module {
  return {
    handle,
    loader: ({ params }: LoaderFunctionArgs) => {
      ran.push(name);
      return { text: `${name} ${JSON.stringify(params)}` };
    },
    action: async ({ request }: ActionFunctionArgs) => {
      const word = new URLSearchParams(await request.text()).get('word') ?? '';
      ran.push(`action of ${name}`);
      return { done: `${name} took ${word}` };
    },
    default: function Page() {
      const { text } = useLoaderData<{ text: string }>();
      const result = useActionData<{ done: string }>();
      return (
        <section data-params={Object.keys(useParams()).join()}>
          <p>{`loaded: ${text}`}</p>
          <p>{result?.done}</p>
          <Form method="post" />
          <Outlet />
        </section>
      );
    },
  };
}

const resource = {
  default: undefined,
  loader: () => new Response('from the resource'),
  action: () => new Response('done by the resource'),
};

const { match } = createSmallSite(
  {
    '': page('home'),
    apiary: page('apiary', { body: 300 }),
    ':lang?/about': page('about'),
    'files/*': page('files'),
    links: {
      default: () => (
        <>
          {/* What a link with prefetch="render" becomes in the browser. */}
          <PrefetchPageLinks page="/apiary/hive" />
          <Link to="../apiary" relative="path">
            apiary
          </Link>
        </>
      ),
    },
    broken: {
      loader: () => {
        throw new Response('gone', { status: 410 });
      },
      ErrorBoundary: () => <p>the boundary of its own</p>,
      default: () => null,
    },
    'api/user': resource,
    'api/*': resource,
    '*': {
      loader: () => {
        throw new Response(null, { status: 404 });
      },
      ErrorBoundary: () => <p>no such page</p>,
      default: () => null,
    },
  },
  [
    { id: 'queen', parentId: 'apiary', index: true, module: page('queen') },
    {
      id: 'hive',
      parentId: 'apiary',
      path: 'hive',
      module: page('hive', { access: 'none', body: 200, cache: { maxAge: 60 } }),
    },
  ],
);

beforeEach(() => {
  ran.length = 0;
  doubles.match = match;
});

const post = (target: string, word = 'hello') =>
  send(target, {
    method: 'POST',
    headers: { ...ours, 'content-type': 'application/x-www-form-urlencoded' },
    body: `word=${word}`,
  });

/** The routes that a page's state contains. */
const loaded = (html: string) =>
  [...html.matchAll(/loaded: ([^<]*)/g)].map(([, text = '']) => text.replaceAll('&quot;', '"'));

test.each([
  ['/', ['home {}']],
  ['/apiary', ['apiary {}', 'queen {}']],
  ['/apiary/hive', ['apiary {}', 'hive {}']],
  ['/APIARY/hive/', ['apiary {}', 'hive {}']],
  ['/about', ['about {}']],
  ['/de/about', ['about {"lang":"de"}']],
  ['/files/a/b.txt', ['files {"*":"a/b.txt"}']],
  ['/files', ['files {"*":""}']],
])('the page %s renders its route within its layouts', async (target, expected) => {
  // Repeated, because the second time the handler already exists.
  for (let time = 0; time < 2; time++) {
    const { status, body } = await send(target);
    expect(status).toBe(200);
    expect(loaded(body)).toEqual(expected);
  }
});

test.each([
  ['/_root.data', ['home']],
  ['/apiary.data', ['apiary', 'queen']],
  ['/apiary/hive.data', ['apiary', 'hive']],
  ['/apiary/hive.data?_routes=hive', ['hive']],
  ['/apiary/hive.data?_routes=apiary', ['apiary']],
  ['/de/about.data', ['about']],
  ['/files/a/b.txt.data', ['files']],
])('the data of %s comes from its routes', async (target, expected) => {
  const { status, headers, body } = await send(target);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/x-script');
  expect(ran.sort()).toEqual(expected);
  for (const name of expected) expect(body).toContain(`"${name} `);
});

test.each([
  ['/apiary', 'apiary'],
  ['/apiary?index', 'queen'],
  ['/apiary/hive', 'hive'],
  ['/?index', 'home'],
  ['/de/about', 'about'],
])('a form posted to %s runs the action of %s, as a document and as data', async (target, name) => {
  const { status, body } = await post(target);
  expect([status, ran[0]]).toEqual([200, `action of ${name}`]);
  expect(body).toContain(`${name} took hello`);
  expect(loaded(body).join()).toContain(name);

  ran.length = 0;
  const data = await post(target.replace(/^\/(?=\?|$)/, '/_root').replace(/(?=\?|$)/, '.data'));
  expect([data.status, ran]).toEqual([200, [`action of ${name}`]]);
  expect(data.body).toContain(`${name} took hello`);
});

test('an address without a route is the not-found page, whatever was requested before', async () => {
  for (const target of ['/no-such-page', '/apiary/x', '/_root', '/files.x']) {
    const { status, body } = await send(target);
    expect([target, status]).toEqual([target, 404]);
    expect(body).toContain('no such page');
    expect((await send(`${target}.data`)).status).toBe(target === '/_root' ? 200 : 404);
  }
});

test('a route’s own boundary shows what it threw', async () => {
  const { status, body } = await send('/broken');
  expect(status).toBe(410);
  expect(body).toContain('the boundary of its own');
});

test('without any matching route, Remix’s own 404 is sent', async () => {
  // The router logs a warning.
  vi.spyOn(console, 'warn').mockReturnValue();
  const { match } = createSmallSite({ one: page('one') });
  doubles.match = match;
  expect((await send('/two')).status).toBe(404);
  expect((await send('/two.data')).status).toBe(404);
  expect((await send('/api/two')).status).toBe(404);
});

test.each(['/api/user?x', '/API/user/', '/%61pi/user', '/api', '/api/no-such-thing'])(
  'the resource %s is found',
  async (target) => {
    if (!target.includes('user')) expect((await send(target)).body).toBe('from the resource');
    expect((await post(target)).body).toBe('done by the resource');
  },
);

test('links to all pages work: a prefetched one names its files', async () => {
  const { body } = await send('/links');
  for (const id of ['apiary', 'hive']) {
    expect(body).toMatch(new RegExp(`<link[^>]*rel="modulepreload"[^>]*href="/assets/${id}.js"`));
  }
  expect(body).toMatch(/<link[^>]*rel="prefetch"[^>]*href="\/apiary\/hive.data/);
  expect(body).toContain('href="/apiary">apiary</a>');
});

test.each<[string, RouteHandle]>([
  ['/apiary/hive', { access: 'none', body: 300, cache: { maxAge: 60 } }],
  ['/apiary/hive.data', { access: 'none', body: 300, cache: { maxAge: 60 } }],
  ['/APIARY/hive/', { access: 'none', body: 300, cache: { maxAge: 60 } }],
  ['/apiary', { body: 300 }],
  ['/no-such-page', {}],
  ['/api/user', {}],
])(
  'the routes at %s accept their largest body limit, and the last decides on caching',
  async (path, handle) => {
    expect((await match(new URL(path, settings.siteOrigin))).handle).toEqual(handle);
  },
);
