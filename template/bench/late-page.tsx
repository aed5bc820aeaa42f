/** A site with one page, whose deferred data resolves after a second, behind the site's own listener. */
import { Await, Outlet, useLoaderData } from '@remix-run/react';
import { Suspense } from 'react';
import { serverBuildOf } from '@gatehouse/server/remix/testing';
import * as entry from '../../app/entry.server';
import { serveBuild } from './serve-build';

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

const build = serverBuildOf(
  {
    root: { id: 'root', path: '', module: { default: Root } },
    page: { id: 'page', parentId: 'root', path: '', module: { default: Page, loader } },
  },
  entry,
);

serveBuild(build);
