/** How much of a stranger's form the studio reads: it goes back with the refusal, so that no words are lost. */
import { expect, test, vi } from 'vitest';
import { promptMaxLength } from '~/platform/sdk/sdk';
import { startSiteOnPlatform } from '~/testing/site-on-platform';
import { listen } from '~/testing/site-on-port';

vi.mock('site-server/log', () => import('~/testing/log-double'));

const { site, signOut, operations } = await startSiteOnPlatform();
const address = await listen(site);

const send = (prompt: string, padding = '') =>
  fetch(`${address}/studio`, {
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
