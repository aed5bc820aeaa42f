/**
 * knip's configuration: files that need not be imported, namely entries and what the machinery offers to the
 * site.
 */

/** The site itself. `ui`, `shell` and similar folders may contain files that no page uses yet. */
const site = {
  entry: [
    'app/server/{main,dev,store}.ts',
    'app/route-handle.ts',
    'e2e/platform/index.ts',
    'app/{ui,shell,frame,platform,external,store,testing}/**/*.{ts,tsx}',
  ],
};

const machinery = {
  'packages/proof': {
    entry: ['visit/in-page.js', 'test/*.{ts,js,mjs}'],
    ignoreDependencies: ['@remix-run/serve'],
  },
  'packages/simulator': {
    entry: [
      '*.{ts,mjs}',
      'programs/{main,dev}.ts',
      'browser/*.ts',
      'test/*.{ts,mjs}',
      'negative-control/*.{ts,mjs}',
      'test/journeys/*.ts',
      'page/*.{js,css}',
    ],
  },
  'packages/lint': { entry: ['test/told.ts', 'test/case/app/**/*.{ts,tsx}'] },
  'packages/server': { entry: ['test/*.{ts,tsx}'] },
};

/**
 * @param {Record<string, import('knip').WorkspaceProjectConfig>} others further workspaces, by their folder
 * @returns {import('knip').KnipConfig}
 */
export function siteKnip(others = {}) {
  return {
    ignoreExportsUsedInFile: true,
    workspaces: { '.': site, ...machinery, ...others },
  };
}
