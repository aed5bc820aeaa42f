/** A platform double where Ada can sign in. */
import { json, startPlatformDouble } from '@gatehouse/platform/testing/upstream-double';
import { beforeEach, vi } from 'vitest';

export const ada = { id: 'u1', name: 'Ada', credits: 7 };
const bookmark = { id: 'b1', title: 'Foxes', created_at: '2026-11-21T07:00:00Z' };

/** A double of the platform, in the site's settings. Call once at the top of a test file; reset between tests. */
export async function startPlatformInSettings() {
  const platform = await startPlatformDouble();
  vi.stubEnv('PLATFORM_INTERNAL_URL', platform.url);
  return platform;
}

/** Call once at the top of a test file, before the site starts. The double is reset between tests. */
export async function startPlatformWithAda() {
  const platform = await startPlatformInSettings();
  return {
    platform,
    /** Ada, with one bookmark. */
    signIn: () => {
      platform.on('/user', json(200, ada));
      platform.on('/bookmarks', json(200, { items: [bookmark] }));
    },
    signOut: () => {
      platform.on('/user', json(401, signedOutBody));
    },
    /** All calls except the guard's. */
    operations: () => platform.requests.filter(({ path }) => path !== '/user'),
  };
}

let besides: Awaited<ReturnType<typeof startPlatformWithAda>> | undefined;

/** For a test about something else: nobody is signed in to the platform, until {@link signInToPlatform}. */
export async function startBeside(): Promise<void> {
  const { signOut } = (besides = await startPlatformWithAda());
  beforeEach(signOut);
}

export const signInToPlatform = (): void => besides?.signIn();

export const signedOutBody = { error: 'signed out', hint: { of: 'the platform' } };

/** Everything in a response that a browser can see. */
export async function visible(response: Response): Promise<string> {
  return JSON.stringify([response.status, [...response.headers], await response.text()]);
}
