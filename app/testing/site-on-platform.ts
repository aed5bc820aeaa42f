/** The whole site in memory, on a double of the platform: what a test of the routes begins with. */
import { ada, done, png, running } from './upstream-data';
import { file, json, startPlatformDouble } from './upstream-double';
import { post, postJson, startSite } from './whole-site';

/** Call it once, at the top of a test file. Between tests the double forgets. */
export async function startSiteOnPlatform(extra: Parameters<typeof startSite>[0] = {}) {
  const platform = await startPlatformDouble();
  const site = await startSite(extra);

  return {
    platform,
    site,
    /** Ada, with one finished picture. What she starts is running. */
    signIn: () => {
      platform.on('/user', json(200, ada));
      platform.on('/generations', (response, request) => {
        const reply =
          request.method === 'POST'
            ? json(201, running)
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

type Asked = [path: string, init?: RequestInit];

/** Every resource that needs an account. */
export const resources: Asked[] = [
  ['/api/generations'],
  ['/api/generations?cursor=c2'],
  ['/api/generations/g1'],
  ['/api/generations/g1/output.png'],
  ['/api/generations', postJson({ prompt: 'a fox' })],
];

/** Every page, and the data of each. */
export const pages: Asked[] = [
  ['/'],
  ['/studio'],
  ['/studio?cursor=c2'],
  ['/account'],
  ['/studio', post({ prompt: 'a fox' })],
  ['/_root.data'],
  ['/studio.data'],
  ['/studio.data?_routes=studio%2Froutes%2Fstudio'],
  ['/account.data'],
  ['/account.data?_routes=routes%2Faccount'],
  ['/studio.data', post({ prompt: 'a fox' })],
];
