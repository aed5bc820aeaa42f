/** knip's configuration for a site: the files that need not be imported. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtIn, installedPackages } from './installed-packages.js';

/** The site itself. `ui`, `shell` and similar folders may contain files that no page uses yet. */
const site = {
  entry: [
    'app/server/{main,dev,store,roles}.ts',
    'app/route-handle.ts',
    'e2e/platform.ts',
    'app/{ui,shell,platform,external,testing}/**/*.{ts,tsx}',
  ],
};

/** Test tools that packages import, and the site lists among its own. */
const testTools = ['@remix-run/testing', '@testing-library/react'];

/** Dependencies that none of the site's files need import. knip reports every other name in its configuration. */
function ignoredDependencies() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const ofPackages = installedPackages('.').flatMap((own) => Object.keys(own.dependencies ?? {}));
  const unimported = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) =>
      // `overrides` puts it in place of a dependency of Remix.
      name === 'turbo-stream' ||
      testTools.includes(name) ||
      // It has only to be there.
      name === '@react-router/node' ||
      builtIn('.').some((pattern) => pattern.test(name)) ||
      // npm finds the tarball of what packages depend on because the site lists it.
      (name.startsWith('@gatehouse/') && ofPackages.includes(name)),
  );
  const sources = ['app', 'e2e']
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
  return unimported.filter((name) => !sources.some((text) => text.includes(`from '${name}`)));
}

/**
 * Workspaces that `package.json` names may each have a `knip.js`, which says by their folders what knip must know of it and of others.
 *
 * @returns {Promise<import('knip').KnipConfig>}
 */
export async function siteKnip() {
  /** @type {{ workspaces?: string[] }} */
  const { workspaces = [] } = JSON.parse(readFileSync('package.json', 'utf8'));
  const files = workspaces
    .map((folder) => path.resolve(folder, 'knip.js'))
    .filter((file) => existsSync(file));
  const own = await Promise.all(files.map((file) => import(pathToFileURL(file).href)));
  return {
    ignoreExportsUsedInFile: true,
    ignoreDependencies: ignoredDependencies(),
    workspaces: Object.assign({ '.': site }, ...own.map((module) => module.default)),
  };
}
