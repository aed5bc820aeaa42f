/** Browser tests on the site with every recipe applied. */
import { test as base, type Stack } from '../../e2e/fixtures';
import { startPlatform } from '../../e2e/platform';
import { startRecipeSite } from './recipe-site';

export { expect } from '../../e2e/fixtures';

export const test = base.extend<object, { stack: Stack }>({
  stack: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const platform = await startPlatform({ port: 0, internalPort: 0 });
      const site = await startRecipeSite(platform);
      await use({ platform, site });
      await site.stop();
      await platform.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});
