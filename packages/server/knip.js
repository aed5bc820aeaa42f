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
    'app/{ui,shell,platform,external,testing}/**/*.{ts,tsx}',
  ],
};

const machinery = {
  'packages/lint': { entry: ['test/case/app/**/*.{ts,tsx}'] },
  'packages/platform': { entry: ['test/*.{ts,tsx}'] }, // auth: platform
  'packages/accounts': { entry: ['src/testing/*.ts'] }, // auth: accounts
  'packages/store': { entry: ['src/testing/*.ts', 'test/*.ts'] }, // auth: accounts
  'packages/proof': {
    entry: ['src/visit/in-page.js', 'test/*.{ts,js,mjs}'],
    ignoreDependencies: ['@remix-run/serve'],
  },
  'packages/server': { entry: ['test/*.{ts,tsx}'] },
  'packages/simulator': {
    entry: [
      'src/*.{ts,mjs}',
      'src/programs/{main,dev}.ts',
      'src/browser/*.ts',
      'src/page/*.{js,css}',
      'test/**/*.{ts,mjs}',
    ],
  },
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
