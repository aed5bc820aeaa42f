/** What the server needs to know about this site, in production and development. */
import { createSite } from '@gatehouse/server';
import { remix } from '@gatehouse/server/remix';
import { readContentSources, settingsReport } from '@gatehouse/server/settings';
import { siteEnv } from '~/env.server';
import * as features from '~/features.server';
import * as settings from '~/settings.server';
import { site as config } from '~/site.config';

export const site = createSite({
  framework: remix,
  features,
  config,
  settings: () => ({
    ...siteEnv(),
    contentSources: readContentSources(config.contentSources, 'app/site.config.ts'),
  }),
  settingsReport: () => settingsReport(settings, siteEnv()),
});
