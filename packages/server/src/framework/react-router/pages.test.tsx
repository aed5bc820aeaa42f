/** Pages that React Router renders: whole, streamed, with the site's head, and with their errors logged. */
import { Suspense } from 'react';
import { Await, Links, Outlet, Scripts, useLoaderData } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { isResource, settings } from '../../testing/listening-site.ts';
import { lines, logged } from '../../testing/log-double.ts';
import { createRequestContext } from '../../requests/request-context.ts';
import { reactRouter } from './index.ts';
import { DocumentMeta, pageMeta } from './meta.tsx';
import * as pages from './pages.tsx';
import { serverBuildOf, type Module, type TestRoute } from './testing/server-build.ts';

vi.mock('../../log.ts', () => import('../../testing/log-double.ts'));

let late: Promise<string>;

function Root() {
  return (
    <html lang="en">
      <head>
        <DocumentMeta title="A site" defaults={{ description: 'All of it' }} />
        <Links />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}

const modules: Record<string, Module> = {
  '': { loader: () => ({ words: 'all there' }), default: () => <p>the home page</p> },
  about: {
    default: () => <p>about it</p>,
    handle: { access: 'none' },
    meta: () => pageMeta({ title: 'About', canonical: '/about' }),
  },
  slow: {
    loader: () => ({ words: late }),
    default: function Slow() {
      const { words } = useLoaderData<{ words: Promise<string> }>();
      return (
        <Suspense fallback="on its way">
          <Await resolve={words}>{(text) => <p>{text}</p>}</Await>
        </Suspense>
      );
    },
  },
  broken: {
    default: () => {
      throw new Error('canary');
    },
  },
};

const routes: Record<string, TestRoute> = {
  root: { id: 'root', path: '', module: { default: Root, ErrorBoundary: Root } },
};
for (const [path, module] of Object.entries(modules)) {
  const place = path === '' ? { index: true } : { path };
  routes[path || 'home'] = { id: path || 'home', parentId: 'root', ...place, module };
}
const entry = {
  handleError: pages.handleError,
  streamTimeout: pages.streamTimeout,
  default: pages.createPageRenderer((page) => page),
};
const site = reactRouter.createHandler(serverBuildOf(routes, entry), 'production', { isResource });

async function request(path: string): Promise<Response> {
  const url = new URL(path, settings.siteOrigin);
  const { signal } = new AbortController();
  const own = { signal, requestId: 'r1', nonce: 'n1' };
  const context = createRequestContext(url, { isResource, framework: reactRouter }, own);
  return (await site.match(url)).respond(new Request(url, { signal }), context);
}

beforeEach(() => {
  lines.length = 0;
  late = Promise.resolve('later words');
});

test('a page with all of its data is one document, whose scripts have the nonce', async () => {
  const html = await (await request('/')).text();
  expect(html).toContain('<p>the home page</p>');
  expect(html).not.toMatch(/<template|\$RC|<script(?![^>]* nonce="n1")/);
});

test('a page with deferred data is streamed', async () => {
  let settle: (words: string) => void = () => undefined;
  late = new Promise((resolve) => (settle = resolve));
  const reader = (await request('/slow')).body?.pipeThrough(new TextDecoderStream()).getReader();
  let html = '';
  while (!html.includes('on its way')) html += (await reader?.read())?.value ?? '';
  expect(html).not.toContain('later words');
  settle('later words');
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    html += part.value;
  }
  expect(html).toContain('<p>later words</p>');
});

test('the head has what the page says of itself, and otherwise what the site says', async () => {
  const home = await (await request('/')).text();
  expect(home).toContain('<title>A site</title>');
  expect(home).toContain('<meta name="robots" content="noindex"/>');
  const about = await (await request('/about')).text();
  expect(about).toContain('<title>About</title>');
  expect(about).toContain(`href="${settings.siteOrigin}/about"`);
  expect(about).toContain('content="All of it"');
});

test('a failure while a page is rendered is logged', async () => {
  await (await request('/broken')).text();
  expect(JSON.stringify(logged())).toContain('canary');
});
