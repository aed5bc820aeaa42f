/** A platform double where Ada can sign in. */
import { file, json } from '@gatehouse/platform/testing/upstream-double';
import { beforeEach } from 'vitest';
import { startPlatformInSettings } from './platform-in-settings';
import { ada, done, png, running } from './upstream-data';

/** Call once at the top of a test file, before the site starts. The double is reset between tests. */
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
