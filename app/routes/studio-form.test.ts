/** How much of a stranger's form the studio reads: it goes back with the refusal, so that no words are lost. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import { promptMaxLength } from '~/platform/sdk/sdk';
import { createListener } from 'site-server';
import { site as options } from '~/server/site';
import { startSiteOnPlatform } from '~/testing/site-on-platform';

vi.mock('site-server/log', () => import('~/testing/log-double'));

const { site, signOut, operations } = await startSiteOnPlatform();
const server = createServer(
  createListener({
    ...options,
    match: site.match,
    env: options.settings(),
    assets: (_request, _response, next) => {
      next();
    },
    isReady: () => true,
  }),
);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());

const send = (prompt: string, padding = '') =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/studio`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ prompt, padding }),
  });

test('signed out, the longest prompt there is comes back whole', async () => {
  signOut();
  const words = '界'.repeat(promptMaxLength);
  const refused = await send(words);
  expect(refused.status).toBe(401);
  expect(await refused.text()).toContain(words);
});

test('signed out, a form that no prompt can fill is not read', async () => {
  signOut();
  const refused = await send('a fox', 'x'.repeat(40_000));
  expect(refused.status).toBe(413);
  expect(operations()).toEqual([]);
});
