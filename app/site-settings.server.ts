/**
 * The site's own settings. Loaders and actions read them as `siteEnv().wares`; `npx vitest run app/env.test.ts -u` writes them to
 * `.env.example` and `docs/settings.md`.
 */
import type { Settings } from '@gatehouse/server/settings';

export default {
  // wares: { name: 'WARES', schema: wholeNumber((number) => number).default(7), about: 'Wares of a page.', example: '7' },
} as const satisfies Settings;
