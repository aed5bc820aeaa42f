/** Builds the site with every recipe applied, and starts it as in production. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { followedRecipes, root } from './site-recipes';
import type { Platform } from '../../e2e/platform';
import { startSite, type Site } from '@gatehouse/simulator/programs';

const parts = [
  'app',
  'e2e',
  'packages',
  'public',
  'package.json',
  'playwright.config.ts',
  'tsconfig.json',
  'vite.config.ts',
];

/** Builds in a temporary folder inside the repository, so that imports resolve as they do there. */
export async function buildRecipeSite(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const cache = path.join(root, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'recipe-site-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    for (const part of parts) {
      await cp(path.join(root, part), path.join(folder, part), { recursive: true });
    }
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    for (const [file, code] of await followedRecipes()) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), code);
    }
    await promisify(execFile)(
      process.execPath,
      [path.join(root, 'node_modules/@remix-run/dev/dist/cli.js'), 'vite:build'],
      { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } },
    );
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Builds the site and starts it behind a platform. Stopping it also removes the folder. */
export async function startRecipeSite(platform: Platform): Promise<Site> {
  const { folder, remove } = await buildRecipeSite();
  try {
    const site = await startBuilt(folder, platform);
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

/** Starts a site that {@link buildRecipeSite} built. */
export async function startBuilt(
  folder: string,
  platform: Pick<Platform, 'internalUrl' | 'siteOrigin' | 'platformUrl' | 'setSiteUpstream'>,
  env: Record<string, string> = {},
): Promise<Site> {
  const site = await startSite({
    internalUrl: platform.internalUrl,
    siteOrigin: platform.siteOrigin,
    frameAncestors: platform.platformUrl,
    entry: path.join(folder, 'build/server/main.js'),
    env: { MAX_CONNECTIONS: '2000', ...env },
  });
  platform.setSiteUpstream(site.url);
  return site;
}
