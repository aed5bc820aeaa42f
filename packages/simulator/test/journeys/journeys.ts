/** Flows for `browser/patience.test.ts`: a long journey on a slow site, and a hang. */
import { expect, test } from '../shop-fixtures.ts';

test('a journey of 25 steps', async ({ framed, platform }) => {
  await platform.faults.set('user', { kind: 'delay', ms: 150 });
  for (let step = 0; step < 25; step += 1) {
    await framed.open(step % 2 === 0 ? '/prints' : '/account');
    await expect(framed.site.getByText('Hello, whoever you are.')).toBeVisible();
  }
});

test('a hang', async ({ page, platform }) => {
  await page.goto(platform.platformUrl);
  await new Promise(() => undefined);
});
