// auth: platform
/** The whole site in memory, on a double of the platform: what a test of the routes begins with. */
import { ada, done, png, running } from './upstream-data';
import { file, json, startPlatformDouble } from './upstream-double';
import { startSite } from './whole-site';

/** Call it once, at the top of a test file. Between tests the double forgets. */
export async function startSiteOnPlatform(extra: Parameters<typeof startSite>[0] = {}) {
  return { ...(await startPlatformWithAda()), site: await startSite(extra) };
}

/** The double alone, for a site that is started by itself afterwards. */
export async function startPlatformWithAda() {
  const platform = await startPlatformDouble();
  return {
    platform,
    /** Ada, with one finished picture. What she starts is running. */
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
    /** All that was asked but who it is. */
    operations: () => platform.requests.filter(({ path }) => path !== '/user'),
  };
}

export const signedOutBody = { error: 'signed out', hint: { of: 'the platform' } };

/** All that a browser can see of an answer. */
export async function visible(response: Response): Promise<string> {
  return JSON.stringify([response.status, [...response.headers], await response.text()]);
}
