/** A site of one page whose data comes a second late, behind the site's own listener. */
import { Await, Outlet, useLoaderData } from '@remix-run/react';
import type { ServerBuild } from '@remix-run/node';
import { Suspense } from 'react';
import * as entry from '../../app/entry.server';
import { siteEnv } from '../../app/env.server';
import { answerRequests, createHttpServer } from '../../app/server/http-server.server';
import { createListener } from '../../app/server/listener.server';
import { createRemixHandler } from '../../app/server/remix-handler.server';

const lateBy = 1_000;

function Root() {
  return (
    <html lang="en">
      <body>
        <Outlet />
      </body>
    </html>
  );
}

function Page() {
  const { words } = useLoaderData<{ words: Promise<string> }>();
  return (
    <Suspense fallback={<p>the shell</p>}>
      <Await resolve={words}>{(value) => <p>{value}</p>}</Await>
    </Suspense>
  );
}

const loader = () => ({
  words: new Promise<string>((resolve) => setTimeout(resolve, lateBy, 'late words')),
});

const described = (id: string, hasLoader: boolean) => ({
  id,
  path: '',
  module: `/${id}.js`,
  imports: [],
  hasLoader,
  hasAction: false,
  hasClientLoader: false,
  hasClientAction: false,
  hasErrorBoundary: false,
});

const build: ServerBuild = {
  mode: 'production',
  entry: { module: entry },
  routes: {
    root: { id: 'root', path: '', module: { default: Root } },
    page: { id: 'page', parentId: 'root', path: '', module: { default: Page, loader } },
  },
  assets: {
    version: '1',
    url: '/manifest.js',
    entry: { module: '/entry.js', imports: [] },
    routes: {
      root: described('root', false),
      page: { ...described('page', true), parentId: 'root' },
    },
  },
  publicPath: '/',
  assetsBuildDirectory: '',
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
    v3_lazyRouteDiscovery: false,
  },
  isSpaMode: false,
};

const env = siteEnv();
const server = createHttpServer(env);
const site = createRemixHandler(build, 'production');
const options = {
  ...site,
  env,
  assets: (_: unknown, __: unknown, next: () => void) => {
    next();
  },
  isReady: () => true,
};
answerRequests(server, createListener(options));
server.listen(env.port, env.host);
