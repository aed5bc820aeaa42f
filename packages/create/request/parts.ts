/**
 * The removable parts. `template` is always removed; `platform` and `accounts` depend on the auth mode; the
 * others are samples. A part consists of its folders and files, and of marked lines in other files.
 */
export const parts = {
  template: [
    'template',
    'packages',
    'docs/pictures/states',
    'docs/pictures/studio-framed-dark.png',
    'docs/pictures/studio-framed-light.png',
    'docs/decisions',
  ],
  platform: [
    'app/platform.server.ts',
    'app/platform',
    'app/shell/platform',
    'app/routes/account.tsx',
    'app/routes/api.user.ts',
    'app/routes/api.generation-output.ts',
    'app/routes/api.media-file.ts',
    ...[
      'account-documents.test.ts',
      'account.test.tsx',
      'api.generation-output.test.ts',
      'api.test.ts',
      'documents.test.ts',
      'home.test.tsx',
      'offline-demo.test.ts',
      'route-boundary.test.ts',
    ].map((name) => `app/routes/${name}`),
    'app/shell/download-button.test.tsx',
    'app/testing/platform',
    'e2e/flows/platform',
    'e2e/flows/both.spec.ts',
    'e2e/flows/site.spec.ts',
    'docs/platform.md',
    'docs/platform',
    ...[
      'action',
      'background-request',
      'download',
      'flow',
      'guarded-page',
      'order-history',
      'platform-operation',
      'resource-route',
      'streaming-page',
      'submit-generation',
      'upload',
    ].map((name) => `docs/recipes/${name}.md`),
  ],
  accounts: [
    'app/accounts.server.ts',
    'app/store.server.ts',
    'app/accounts',
    'app/migrations.server.ts',
    'app/server/store.ts',
    'build/server/store.js',
    ...['account-requests.test.ts', 'stop-with-accounts.test.ts', 'store-unavailable.test.tsx'].map(
      (name) => `app/server/${name}`,
    ),
    'app/testing/accounts',
    'app/testing/site-with-accounts.ts',
    'e2e/flows/accounts',
    'e2e/flows/both.spec.ts',
    'docs/accounts',
    'docs/recipes/account-page.md',
    'docs/recipes/account-rows.md',
  ],
  studio: [
    'app/studio',
    'app/testing/studio',
    'e2e/flows/studio',
    'docs/pictures/boundary-dark.png',
    'docs/pictures/boundary-light.png',
    'public/sample-prompts.csv',
  ],
  notes: ['app/notes', 'app/testing/notes', 'e2e/flows/notes'],
  mcp: ['mcp-server', 'docs/mcp'],
} satisfies Record<string, readonly string[]>;

export type Part = keyof typeof parts;
export type Sample = (typeof samples)[number];

export const samples = ['studio', 'notes', 'mcp'] as const satisfies readonly Part[];

/** Whose accounts people sign in to: the platform's, the site's own, or both (W29). */
export const authModes = ['platform', 'in-app', 'both'] as const;
export type AuthMode = (typeof authModes)[number];

/** The kinds of accounts that a mode keeps, and the parts that it removes. */
export const modeParts: Record<AuthMode, { keeps: readonly Part[]; drops: readonly Part[] }> = {
  // The notes need site accounts.
  platform: { keeps: ['platform'], drops: ['accounts', 'notes'] },
  // The studio needs the platform's SDK.
  'in-app': { keeps: ['accounts'], drops: ['platform', 'studio'] },
  both: { keeps: ['platform', 'accounts'], drops: [] },
};

/** Whether a file is one of the given files, or in one of the given folders. */
export function isIn(places: readonly string[], file: string): boolean {
  return places.some((place) => file === place || file.startsWith(`${place}/`));
}
