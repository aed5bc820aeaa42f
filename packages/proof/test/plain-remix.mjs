// @ts-check
/**
 * The server build of a plain Remix site, written by hand for `remix-serve`: without `@gatehouse/server`, SDK and Vite. It
 * rejects cross-site writes and checks the visitor with a few lines of its own.
 */
import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';
import { RemixServer, Outlet, useLoaderData } from '@remix-run/react';
import { redirect } from '@remix-run/node';

/** @typedef {import('@remix-run/node').LoaderFunctionArgs} Args */

const platform = process.env['PLATFORM_INTERNAL_URL'] ?? '';
const siteOrigin = process.env['SITE_ORIGIN'] ?? '';
const headers = () => ({ 'cache-control': 'no-store' });

/** @param {string} path @param {RequestInit} [init] */
const callPlatform = (path, init) =>
  fetch(platform + path, { redirect: 'manual', signal: AbortSignal.timeout(2_000), ...init });

async function visitor() {
  const response = await callPlatform('/user').catch(() => null);
  if (!response?.ok) return { user: null, status: response?.status === 401 ? 401 : 502 };
  const user = /** @type {{ name?: string } | null} */ (await response.json().catch(() => null));
  return { user, status: user ? 200 : 502 };
}

/** @param {unknown} body @param {number} status */
const json = (body, status) => Response.json(body, { status, headers: headers() });

const root = {
  headers,
  default: () => h('html', { lang: 'en' }, h('head'), h('body', {}, h(Outlet))),
};

const home = {
  headers,
  default: () => h('main', {}, h('h1', {}, 'Prints'), h('a', { href: '/prints' }, 'Yours')),
};

const prints = {
  headers,
  async loader() {
    const { user } = await visitor();
    const response = user && (await callPlatform('/prints').catch(() => null));
    const list = response?.ok
      ? /** @type {{ id: string }[]} */ (await response.json().catch(() => []))
      : [];
    return { name: user?.name ?? null, ids: Array.isArray(list) ? list.map(({ id }) => id) : [] };
  },
  /** @param {Args} args */
  async action({ request }) {
    if (request.headers.get('origin') !== siteOrigin) return json({ error: 'forbidden' }, 403);
    const { user, status } = await visitor();
    if (!user) throw json({ error: 'refused' }, status);
    const text = (await request.formData().catch(() => new FormData())).get('text');
    const body = JSON.stringify({ text });
    const response = await callPlatform('/prints', { method: 'POST', body }).catch(() => null);
    if (!response?.ok) throw json({ error: 'not_ordered' }, 502);
    return redirect('/prints', { headers: headers() });
  },
  default: function Prints() {
    const { name, ids } = /** @type {{ name: string | null, ids: string[] }} */ (useLoaderData());
    const links = ids.map((id) => h('a', { key: id, href: `/api/prints/${id}` }, id));
    const form = h(
      'form',
      { method: 'post' },
      h('input', { name: 'text' }),
      h('button', {}, 'Order'),
    );
    return h('main', {}, h('h1', {}, name ?? 'Sign in to print'), links, name && form);
  },
  ErrorBoundary: () => h('main', {}, h('h1', {}, 'The platform does not answer.')),
};

const print = {
  /** @param {Args} args */
  async loader({ params }) {
    const { user, status } = await visitor();
    if (!user) return json({ error: 'refused' }, status);
    const response = await callPlatform(`/prints/${params['id'] ?? ''}`).catch(() => null);
    const text = response?.ok ? await response.text().catch(() => null) : null;
    if (text === null) return json({ error: 'lost' }, response?.status === 404 ? 404 : 502);
    return new Response(text, { headers: { 'content-type': 'text/plain', ...headers() } });
  },
};

const ready = { loader: () => json({}, 200) };

const modules = {
  root: { path: '', module: root },
  home: { index: true, parentId: 'root', module: home },
  prints: { path: 'prints', parentId: 'root', module: prints },
  print: { path: 'api/prints/:id', parentId: 'root', module: print },
  ready: { path: 'readyz', parentId: 'root', module: ready },
};

export const routes = Object.fromEntries(
  Object.entries(modules).map(([id, route]) => [id, { id, ...route }]),
);
export const assets = {
  version: '1',
  url: '/assets/manifest.js',
  entry: { module: '/assets/entry.js', imports: [] },
  routes: Object.fromEntries(
    Object.entries(modules).map(([id, { module, ...route }]) => [
      id,
      {
        id,
        ...route,
        module: `/assets/${id}.js`,
        imports: [],
        css: [],
        hasLoader: 'loader' in module,
        hasAction: 'action' in module,
        hasErrorBoundary: 'ErrorBoundary' in module,
      },
    ]),
  ),
};
export const entry = {
  module: {
    /**
     * @param {Request} request
     * @param {number} status
     * @param {Headers} sent
     * @param {any} context
     */
    default(request, status, sent, context) {
      sent.set('content-type', 'text/html');
      sent.set('cache-control', 'no-store');
      const page = renderToString(h(RemixServer, { context, url: request.url }));
      return new Response(`<!doctype html>${page}`, { status, headers: sent });
    },
    handleError() {},
  },
};
export const mode = 'production';
export const publicPath = '/build/';
export const assetsBuildDirectory = 'build/client';
export const isSpaMode = false;
export const future = { v3_singleFetch: true, v3_throwAbortReason: true };
