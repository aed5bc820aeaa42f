/** A site of one page whose data comes a second late, behind the site's own listener. */
import { Await, Outlet, useLoaderData } from '@remix-run/react';
import { Suspense } from 'react';
import { siteEnv } from '../../app/env.server';
import { answerRequests, createHttpServer } from '../../packages/site-server/src/connections/http-server';
import { createListener } from '../../packages/site-server/src/listener/listener';
import { createRemixHandler } from '../../packages/site-server/src/remix/remix-handler';
import { serverBuildOf } from '../../packages/site-server/test/server-build';

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

const build = serverBuildOf({
  root: { id: 'root', path: '', module: { default: Root } },
  page: { id: 'page', parentId: 'root', path: '', module: { default: Page, loader } },
});

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
