/** The responses under `/api` that every site has. */
import { expect, test } from 'vitest';
import { startSiteOnPlatform } from '~/testing/platform/site-on-platform';
import { bytes } from '@gatehouse/platform/testing/upstream-double';
import { postJson } from '~/testing/whole-site';

const { platform, site } = await startSiteOnPlatform();

test('/api/user is also a route, with the same response as the listener’s [W03] [W04]', async () => {
  platform.on('/user', bytes(418, '{ "id": 1 }', { 'content-type': 'text/x-json' }));
  const response = await site.send('/api/user');
  expect(response.status).toBe(418);
  expect(response.headers.get('content-type')).toBe('text/x-json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toBe('{ "id": 1 }');

  const refused = await site.send('/api/user', postJson({}));
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect(platform.requests).toHaveLength(1);
});

test.each(['/api', '/api/', '/api/x', '/api/users'])(
  '%s is 404 as JSON, also for a POST',
  async (path) => {
    for (const init of [{}, postJson({})]) {
      const response = await site.send(path, init);
      expect([response.status, await response.json()]).toEqual([404, { error: 'not_found' }]);
    }
    expect(platform.requests).toHaveLength(0);
  },
);
