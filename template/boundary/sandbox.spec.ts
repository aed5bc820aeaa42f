/** The site works within the sandbox attributes that the platform's page sets on the frame. */
import { expect, test } from '../../e2e/fixtures';

for (const choice of ['none', 'standard', 'no-downloads'] as const) {
  test(`works in a frame whose sandbox is ${choice} [W05 W06 W16]`, async ({
    framed,
    login,
    signOut,
    platform,
  }) => {
    // Pictures stay pending: the page would load a finished one, perhaps after the session has ended.
    platform.clock.freeze();
    await framed.sandbox(choice);
    await framed.open('/studio');
    await login('ada');
    await framed.site.getByRole('textbox').fill('A kite');
    await framed.site.getByRole('button', { name: 'Generate' }).click();
    await expect(framed.site.getByRole('heading', { name: 'A kite' })).toBeVisible();
    // The page shows the picture optimistically, before the platform has received the submission.
    await expect.poll(() => platform.ledger.calls({ endpoint: 'submit' })).toHaveLength(1);
    await signOut();
  });
}

test('stays readable in a frame with an opaque origin [W15 W17]', async ({
  framed,
  browserLog,
}) => {
  // Module scripts from the site fail CORS with a null origin, and the browser logs an error for each.
  browserLog.allow(/origin 'null'|net::ERR_FAILED|ERR_BLOCKED_BY_RESPONSE/);
  await framed.sandbox('no-same-origin');
  await framed.open('/studio');
  const { site } = framed;
  const frame = await framed.frame();
  expect(await frame.evaluate(() => window.origin)).toBe('null');

  await expect(site.getByRole('heading', { name: 'Studio' })).toBeVisible();
  await expect(site.getByRole('region', { name: 'Signed out' })).toBeVisible();
  await expect(site.getByRole('button', { name: 'Generate' })).toBeDisabled();
  await site.getByRole('link', { name: 'Home' }).click();
  await expect(
    site.getByRole('heading', { name: 'Pictures and clips from your words' }),
  ).toBeVisible();
  await site.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
  await expect(site.getByRole('heading', { name: 'Sign in to the platform' })).toBeVisible();
});
