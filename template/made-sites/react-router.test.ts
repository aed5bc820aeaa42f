/** A site that is made for React Router 8: it installs, and its types, its build and its unit tests are right. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { reactRouterSite } from './react-router-site';

test(
  'a site on React Router installs in one step, has right types, builds, and passes its tests',
  async () => {
    const site = await reactRouterSite('framewise', '--auth', 'both', '--without', 'mcp');
    onTestFinished(site.remove);
    const lock = JSON.parse(
      await readFile(path.join(site.folder, 'package-lock.json'), 'utf8'),
    ) as {
      packages: Record<string, object>;
    };
    // `node-fetch-server` is the server's, `router` the proof's, and `route-pattern` React Router's.
    const ofRemix =
      /node_modules\/(@remix-run\/(?!node-fetch-server$|router$|route-pattern$)|react-router-dom$|turbo-stream$)/;
    expect(Object.keys(lock.packages).filter((place) => ofRemix.test(place))).toEqual([]);
    await site.run('npm', 'run', 'typecheck');
    await site.run('npm', 'run', 'lint');
    await site.run('npm', 'run', 'build');
    await site.run('npm', 'run', 'test:unit');
  },
  20 * 60_000,
);
