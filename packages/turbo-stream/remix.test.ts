/** Every kind of Remix's responses, encoded by its server and decoded by its browser code. */
import { createRequire } from 'node:module';
import {
  createRequestHandler,
  data,
  redirect,
  type ActionFunction,
  type EntryContext,
  type LoaderFunction,
  type ServerBuild,
} from '@remix-run/node';
import { isRouteErrorResponse } from '@remix-run/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const require = createRequire(import.meta.url);

// Not exported, but the very functions that browsers run.
const { decodeViaTurboStream, getSingleFetchDataStrategy } =
  require('@remix-run/react/dist/single-fetch.js') as {
    decodeViaTurboStream: (
      body: ReadableStream<Uint8Array>,
      global: object,
    ) => Promise<{ value: unknown; done: Promise<void> }>;
    getSingleFetchDataStrategy: (
      manifest: object,
      routeModules: object,
      getRouter: () => object,
    ) => (load: { request: Request; matches: object[] }) => Promise<object>;
  };
const handled: unknown[] = [];
const unhandled = vi.fn();

beforeEach(() => {
  handled.length = 0;
  process.on('unhandledRejection', unhandled);
});

afterEach(() => {
  vi.unstubAllGlobals();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

interface Site {
  loader?: LoaderFunction;
  action?: ActionFunction;
  streamTimeout?: number;
}

function site({ loader, action, streamTimeout }: Site): ServerBuild {
  const page = { default: () => null };
  return {
    mode: 'production',
    entry: {
      module: {
        default: (_request, status, headers, context: EntryContext) => {
          const stream = context.serverHandoffStream;
          return new Response(stream ?? null, { status, headers });
        },
        handleError: (error) => handled.push(error),
        ...(streamTimeout !== undefined && { streamTimeout }),
      },
    },
    routes: {
      root: { id: 'root', path: '', module: page },
      page: {
        id: 'page',
        parentId: 'root',
        path: 'page',
        module: { ...page, ...(loader && { loader }), ...(action && { action }) },
      },
    },
    assets: {
      entry: { imports: [], module: '' },
      routes: {},
      url: '',
      version: '1',
    },
    publicPath: '/',
    assetsBuildDirectory: '',
    basename: '/',
    future: { v3_singleFetch: true } as ServerBuild['future'],
    isSpaMode: false,
  };
}

async function respond(pages: Site, init?: RequestInit, path = '/page.data') {
  const handle = createRequestHandler(site(pages), 'production');
  const response = await handle(new Request(`http://site.test${path}`, init));
  const body = response.body as ReadableStream<Uint8Array>;
  const { value, done } = await decodeViaTurboStream(body, globalThis);
  return { response, value: value as Record<string | symbol, unknown>, done };
}

const wide = {
  text: '</script><script>',
  when: new Date(0),
  map: new Map([['a', new Set([1n])]]),
  nothing: undefined,
  error: new TypeError('a value like any other'),
};

test('a plain response', async () => {
  const { value, response, done } = await respond({ loader: () => wide });
  expect(response.headers.get('content-type')).toBe('text/x-script');
  expect(value).toMatchObject({
    page: { data: { ...wide, error: expect.any(Error) as unknown } },
  });
  await done;
});

test('null', async () => {
  const { value } = await respond({ loader: () => null });
  expect(value.page).toEqual({ data: null });
});

test('a deferred response: resolved, empty and rejected promises', async () => {
  let resolve!: (value: unknown) => void;
  const slow = new Promise((settle) => (resolve = settle));
  const { value, done } = await respond({
    loader: () => ({
      now: 1,
      slow,
      empty: Promise.resolve([]),
      failed: Promise.reject(new Error('a secret of the server')),
    }),
  });
  const deferred = (value.page as { data: Record<string, Promise<unknown>> }).data;
  expect(deferred.now).toBe(1);
  await expect(deferred.empty).resolves.toEqual([]);
  const failure = await deferred.failed?.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(failure).toMatchObject({ message: 'Unexpected Server Error', stack: undefined });
  resolve(wide.map);
  await expect(deferred.slow).resolves.toEqual(wide.map);
  await done;
});

test('a deferred response that times out is rejected, and the stream ends properly', async () => {
  const { value, done } = await respond({
    loader: () => ({ never: new Promise(() => {}), soon: Promise.resolve(1) }),
    streamTimeout: 20,
  });
  const deferred = (value.page as { data: Record<string, Promise<unknown>> }).data;
  await expect(deferred.soon).resolves.toBe(1);
  await expect(deferred.never).rejects.toThrow('Unexpected Server Error');
  await done;
});

test('a thrown response', async () => {
  const { value, response } = await respond({
    loader: () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- how Remix answers
      throw data({ reason: 'no such page' }, { status: 404, statusText: 'Not Found' });
    },
  });
  expect(response.status).toBe(404);
  const { error } = value.page as { error: unknown };
  expect(isRouteErrorResponse(error)).toBe(true);
  expect(error).toMatchObject({ status: 404, data: { reason: 'no such page' } });
});

test('a thrown error is sanitised', async () => {
  const { value, response } = await respond({
    loader: () => {
      throw new RangeError('a secret of the server');
    },
  });
  expect(response.status).toBe(500);
  const { error } = value.page as { error: Error };
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ message: 'Unexpected Server Error', stack: undefined });
  expect(handled).toHaveLength(1);
});

test('a redirect from a loader', async () => {
  const { value, response } = await respond({ loader: () => redirect('/elsewhere?a=b#c') });
  expect(response.status).toBe(202);
  // Keyed by a symbol that server and browser share.
  const [symbol] = Object.getOwnPropertySymbols(value) as [symbol];
  expect(value[symbol]).toMatchObject({ redirect: '/elsewhere?a=b#c', status: 302 });
});

test('an action: its response, thrown response and redirect', async () => {
  const post = { method: 'POST', body: new URLSearchParams({ a: 'b' }) };
  const action: ActionFunction = async ({ request }) => ({
    sent: Object.fromEntries(await request.formData()),
    later: Promise.resolve(1),
  });
  const { value } = await respond({ action }, post);
  expect(value).toEqual({ data: { sent: { a: 'b' }, later: expect.any(Promise) as unknown } });
  const thrown = await respond(
    {
      action: () => {
        throw new Response('no', { status: 403 });
      },
    },
    post,
  );
  expect(thrown.value.error).toMatchObject({ status: 403, data: 'no' });
  const redirected = await respond({ action: () => redirect('/elsewhere', 303) }, post);
  expect(redirected.value).toMatchObject({ redirect: '/elsewhere', status: 303 });
});

test('the page’s state contains loader data and errors', async () => {
  const { value, done } = await respond(
    { loader: () => ({ ...wide, later: Promise.resolve('late') }) },
    {},
    '/page',
  );
  const { loaderData } = value as {
    loaderData: { page: { later: Promise<unknown>; map: unknown } };
  };
  expect(loaderData.page.map).toEqual(wide.map);
  await expect(loaderData.page.later).resolves.toBe('late');
  await done;
});

test('a disconnect while a promise is pending stops nothing else', async () => {
  let resolve!: (value: unknown) => void;
  const slow = new Promise((settle) => (resolve = settle));
  const handle = createRequestHandler(site({ loader: () => ({ slow }) }), 'production');
  const leaving = new AbortController();
  const response = await handle(
    new Request('http://site.test/page.data', { signal: leaving.signal }),
  );
  const reader = response.body?.getReader();
  await reader?.read();
  leaving.abort();
  await reader?.cancel();
  resolve(1);
  await new Promise((settle) => setTimeout(settle, 5));
});

test('a load aborted while it arrives logs no error in the console', async () => {
  const leaving = new AbortController();
  const halfOfIt = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('[{"_1":'));
      leaving.signal.addEventListener('abort', () => {
        controller.error(leaving.signal.reason);
      });
    },
  });
  vi.stubGlobal('window', { location: { origin: 'http://site.test' } });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(halfOfIt)));
  const load = getSingleFetchDataStrategy({ routes: { page: { hasLoader: true } } }, {}, () => ({
    state: { initialized: true, loaderData: {} },
  }));
  const loading = load({
    request: new Request('http://site.test/page', { signal: leaving.signal }),
    matches: [
      {
        route: { id: 'page' },
        shouldLoad: true,
        resolve: (handle: (run: (loader: () => unknown) => unknown) => unknown) =>
          handle((loader) => loader()),
      },
    ],
  });
  await expect.poll(() => halfOfIt.locked).toBe(true);
  leaving.abort();
  // Unobserved: the router has moved on. `console-guard.ts` would notice an error.
  expect(await loading).toEqual({ page: { type: 'data', result: null } });
});
