/** Builds the site with every recipe applied, and starts it as in production. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { followedRecipes, root } from './site-recipes';
import { madeOnce } from '../../packages/create/packing/made-once.ts';
import { readFiles } from '../../packages/create/repository.ts';
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
  'vitest.config.ts',
];

/**
 * Builds in a folder inside the repository, so that imports resolve as they do there. The build is kept for the same
 * contents: the tests of several files, and in Playwright of each worker, are about the same site.
 *
 * @returns the folder.
 */
export async function buildRecipeSite(): Promise<string> {
  const { files } = await readFiles(root);
  const sources = new Map(
    [...files].filter(([file]) =>
      [...parts, 'package-lock.json'].includes(file.split('/')[0] ?? ''),
    ),
  );
  for (const [file, code] of await followedRecipes()) sources.set(file, Buffer.from(code));
  // What builds it belongs to its contents.
  sources.set(
    '.built-by',
    Buffer.concat([await readFile(import.meta.filename), Buffer.from(process.version)]),
  );
  return madeOnce(path.join(root, '.cache/recipe-site'), sources, async (folder) => {
    for (const [file, content] of sources) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), content);
    }
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    await promisify(execFile)(
      process.execPath,
      [path.join(root, 'node_modules/@remix-run/dev/dist/cli.js'), 'vite:build'],
      { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } },
    );
  });
}

/** Builds the site and starts it behind a platform. */
export async function startRecipeSite(platform: Platform): Promise<Site> {
  return startBuilt(await buildRecipeSite(), platform);
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
