/** The site with the recipe of an upload followed: built, and started as in production. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { files, root, routeLines, routesFile } from '../recipes/site-recipes';
import type { Platform } from '../../e2e/platform';
import { startSite, type Site } from '../../e2e/harness/programs/site-process';

/** Builds it in a folder of its own, which goes when the site has stopped. */
export async function startUploadSite(platform: Platform): Promise<Site> {
  // Inside the repository, so that imports resolve as they would in `app/routes/`.
  const cache = path.join(root, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'upload-site-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    for (const name of ['app', 'public', 'vite.config.ts', 'tsconfig.json', 'package.json']) {
      await cp(path.join(root, name), path.join(folder, name), { recursive: true });
    }
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    for (const { recipe, title, code } of files) {
      if (recipe === 'upload.md' && title) await writeFile(path.join(folder, title), code);
    }
    const routes = await readFile(path.join(folder, routesFile), 'utf8');
    const lines = routeLines.filter((line) => line.includes('upload')).join('');
    await writeFile(
      path.join(folder, routesFile),
      routes.replace("  route('api/*'", `${lines}  route('api/*'`),
    );
    await promisify(execFile)(
      process.execPath,
      [path.join(root, 'node_modules/@remix-run/dev/dist/cli.js'), 'vite:build'],
      { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } },
    );
    const site = await startSite({
      internalUrl: platform.internalUrl,
      siteOrigin: platform.siteOrigin,
      frameAncestors: platform.platformUrl,
      entry: path.join(folder, 'build/server/main.js'),
      env: { MAX_CONNECTIONS: '2000' },
    });
    platform.setSiteUpstream(site.url);
    return {
      ...site,
      async stop() {
        await site.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
