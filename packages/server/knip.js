/** knip's configuration for a site: the files that need not be imported. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The site itself. `ui`, `shell` and similar folders may contain files that no page uses yet. */
const site = {
  entry: [
    'app/server/{main,dev,store}.ts',
    'app/route-handle.ts',
    'e2e/platform.ts',
    'app/{ui,shell,platform,external,testing}/**/*.{ts,tsx}',
  ],
};

/** Dependencies of a site that none of its files need import. */
const unimported = [
  // `overrides` puts it in place of a dependency of Remix.
  'turbo-stream',
  // What packages import and the site lists among its tools: better-auth is built into the server, the last is for tests.
  'better-auth',
  '@better-auth/kysely-adapter',
  '@remix-run/testing',
  '@testing-library/react',
  // What only packages depend on: npm finds its tarball because the site lists it.
  '@gatehouse/http',
];

/** Those that this site lists and does not import. knip reports every other name in its configuration. */
function ignoredDependencies() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const sources = ['app', 'e2e']
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
  return unimported
    .filter((name) => name in { ...dependencies, ...devDependencies })
    .filter((name) => !sources.some((text) => text.includes(`from '${name}`)));
}

/**
 * @param {Record<string, import('knip').WorkspaceProjectConfig>} others further workspaces, by their folder
 * @returns {import('knip').KnipConfig}
 */
export function siteKnip(others = {}) {
  return {
    ignoreExportsUsedInFile: true,
    ignoreDependencies: ignoredDependencies(),
    workspaces: { '.': site, ...others },
  };
}
