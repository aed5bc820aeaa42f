/** The whole site in memory, with a platform double that generates, for tests of the studio's routes. */
import { file, json } from '@gatehouse/platform/testing/upstream-double';
import { startSiteOnPlatform } from '../platform/site-on-platform';
import { done, png, running } from './generation-data';

/** Call once at the top of a test file. The double is reset between tests. */
export async function startStudioOnPlatform(extra?: Parameters<typeof startSiteOnPlatform>[0]) {
  const started = await startSiteOnPlatform(extra);
  const { platform } = started;
  return {
    ...started,
    /** Ada, with one finished picture. New generations are running. */
    signIn: () => {
      started.signIn();
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
  };
}
