/**
 * How much of a signed-out visitor's form the studio reads: prompts are returned with the refusal.
 */
import { expect, test, vi } from 'vitest';
import { promptMaxLength, promptsMax } from '~/platform/generations/generations';
import { startStudioOnPlatform } from '~/testing/studio/studio-on-platform';
import { listen } from '~/testing/studio/site-on-port';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));

const { site, signOut, operations } = await startStudioOnPlatform();
const address = await listen(site);

const send = (prompts: readonly string[], padding = '') =>
  fetch(`${address}/studio`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams([
      ...prompts.map((prompt) => ['prompt', prompt]),
      ['padding', padding],
    ]),
  });

test.each(['界', '😀'])(
  'signed out, the longest possible order is read, and its first prompt returned: %s',
  async (character) => {
    signOut();
    const words = character.repeat(promptMaxLength);
    const refused = await send(Array.from({ length: promptsMax }, () => words));
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain(words);
  },
);

test('signed out, a form larger than any order is not read', async () => {
  signOut();
  const refused = await send(['a fox'], 'x'.repeat(460_000));
  expect(refused.status).toBe(413);
  expect(operations()).toEqual([]);
});
