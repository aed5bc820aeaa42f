/** The whole `npm test` of a site that is made for React Router 8: the proof and the flows, too. */
import { onTestFinished, test } from 'vitest';
import { reactRouterSite } from './react-router-site';

test.each(['platform', 'in-app', 'both'])(
  'a site on React Router whose auth mode is %s keeps every rule',
  async (mode) => {
    const site = await reactRouterSite('framewise', '--auth', mode);
    onTestFinished(site.remove);
    await site.run('npm', 'test');
  },
);
