/**
 * The site's own settings. Loaders and actions read them as `siteEnv().wares`; `npx vitest run app/env.test.ts -u` writes them to
 * `.env.example` and `docs/settings.md`.
 */
import type { Settings } from '@gatehouse/server/settings';

export default {
  // wares: { name: 'WARES', schema: z.coerce.number().default(7), about: 'How many wares a page lists.' },
} as const satisfies Settings;
