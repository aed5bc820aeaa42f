// auth: platform
/** The whole site in memory, with a platform double, for tests of routes. */
import { openEmptyStore } from '@gatehouse/store/testing/empty-store'; // auth: accounts
import * as siteStore from '~/store.server'; // auth: accounts
import { ada, done, png, running } from './upstream-data';
import { file, json } from '@gatehouse/platform/testing/upstream-double';
import { startSite } from './whole-site';
import { startPlatformInSettings } from './platform-in-settings';

/** Call once at the top of a test file. The double is reset between tests. */
export async function startSiteOnPlatform(extra: Parameters<typeof startSite>[0] = {}) {
  openEmptyStore(siteStore); // auth: accounts
  return { ...(await startPlatformWithAda()), site: await startSite(extra) };
}

/** The double alone, for a site that is started by itself afterwards. */
export async function startPlatformWithAda() {
  const platform = await startPlatformInSettings();
  return {
    platform,
    /** Ada, with one finished picture. New generations are running. */
    signIn: () => {
      platform.on('/user', json(200, ada));
      platform.on('/generations', (response, request) => {
        const reply =
          request.method === 'POST'
            ? json(201, { items: [running] })
            : json(200, { items: [done], next_cursor: null });
        reply(response, request);
      });
      platform.on('/generations/g1', json(200, done));
      platform.on('/generations/g1/output', file(png, { 'content-type': 'image/png' }));
    },
    signOut: () => {
      platform.on('/user', json(401, signedOutBody));
    },
    /** All calls except the guard's. */
    operations: () => platform.requests.filter(({ path }) => path !== '/user'),
  };
}

export const signedOutBody = { error: 'signed out', hint: { of: 'the platform' } };

/** Everything in a response that a browser can see. */
export async function visible(response: Response): Promise<string> {
  return JSON.stringify([response.status, [...response.headers], await response.text()]);
}
