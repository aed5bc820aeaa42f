/** knip's configuration for a site: the files that need not be imported. */

/** The site itself. `ui`, `shell` and similar folders may contain files that no page uses yet. */
const site = {
  entry: [
    'app/server/{main,dev,store}.ts',
    'app/route-handle.ts',
    'e2e/platform/index.ts',
    'app/{ui,shell,platform,external,testing}/**/*.{ts,tsx}',
  ],
};

/**
 * @param {Record<string, import('knip').WorkspaceProjectConfig>} others further workspaces, by their folder
 * @returns {import('knip').KnipConfig}
 */
export function siteKnip(others = {}) {
  return {
    ignoreExportsUsedInFile: true,
    ignoreDependencies: [
      // `overrides` puts it in place of a dependency of Remix.
      'turbo-stream',
      // What packages import and the site lists among its tools: better-auth is built into the server, the other is for tests.
      'better-auth',
      '@better-auth/kysely-adapter',
      '@remix-run/testing',
    ],
    workspaces: { '.': site, ...others },
  };
}
