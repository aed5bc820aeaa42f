/** The built site, whose home page caches may keep, and whose loader names its version. */
import path from 'node:path';
import { data, type ServerBuild } from '@remix-run/node';
import { serveBuild } from './serve-build';

const built = (await import(path.resolve('build/server/index.js'))) as ServerBuild;
const home = built.routes['routes/home'];
if (!home) throw new Error('The site has no home page.');
const module = {
  ...home.module,
  handle: { access: 'none', cache: { maxAge: 60 } },
  loader: () => data(null, { headers: { etag: 'home-1' } }),
};
const build = { ...built, routes: { ...built.routes, 'routes/home': { ...home, module } } };

serveBuild(build);
