/** On plain http a browser has no Web Crypto: the server says what tells people apart. */
import { expect, test, vi } from 'vitest';
import { json, startPlatformDouble } from '~/testing/upstream-double';
import { toSafeProfile, toSafeProfileInBrowser } from './profile';
import { loadPlatformUser } from './user';

const platform = await startPlatformDouble();

/** `/api/user` of a site at this origin. */
async function relayAt(origin: string): Promise<Response> {
  vi.resetModules();
  vi.stubEnv('SITE_ORIGIN', origin);
  const { userRelayResponse } = await import('./user-relay.server');
  return userRelayResponse(new Request(`${origin}/api/user`));
}

const ada = { id: 'canary', name: 'Ada' };

test.each(['http://site.example', 'http://192.168.1.7:3000', 'http://localhost.example'])(
  'at %s a page without Web Crypto hears who the visitor is, and the profile unchanged [W03] [W14]',
  async (origin) => {
    platform.on('/user', json(200, ada));
    vi.stubGlobal('fetch', () => relayAt(origin));
    vi.stubGlobal('crypto', {});
    let answer: Response | undefined;
    const profile = await loadPlatformUser((response) => (answer = response));
    expect(profile).toEqual(ada);
    const key = answer?.headers.get('x-profile-key') ?? null;
    expect(await toSafeProfileInBrowser(profile, key)).toEqual(toSafeProfile(ada));
    expect(key).not.toContain('canary');
  },
);

test.each([
  'https://site.example',
  'http://site.localhost:4000',
  'http://localhost',
  'http://127.0.0.1:3000',
])('at %s the browser makes the key by itself', async (origin) => {
  platform.on('/user', json(200, ada));
  expect((await relayAt(origin)).headers.has('x-profile-key')).toBe(false);
});

test('a failure and what is no JSON tell of nobody', async () => {
  platform.on('/user', json(401, ada));
  expect((await relayAt('http://site.example')).headers.has('x-profile-key')).toBe(false);
  platform.on('/user', json(200, 'no profile'));
  expect((await relayAt('http://site.example')).headers.get('x-profile-key')).toBe('');
});
