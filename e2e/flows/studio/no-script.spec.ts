/** The site without JavaScript: as complete as a studio can be. */
import type { Locator } from '@playwright/test';
import { expect, framedIn, test as base, type Framed } from '../../fixtures';

const test = base.extend<{ plain: Framed }>({
  javaScriptEnabled: false,
  /** The simulator's own page needs scripts, so a plain page of its origin holds the frame. */
  plain: async ({ page, platform, calm }, use) => {
    // This is how the browser tells that it runs no script.
    calm.allow(/^request: csp .*\.js\)$/);
    const address = `${platform.platformUrl}/plain`;
    const body = `<!doctype html><iframe width="900" height="600" src="${platform.siteOrigin}/studio"></iframe>`;
    await page.route(address, (route) => route.fulfill({ body, contentType: 'text/html' }));
    await page.goto(address);
    const framed = framedIn(page, platform);
    // The first page of a new frame may be parsed before Playwright has turned scripts off: what
    // stands in `<noscript>` is then text. The next one never is.
    await framed.open('/studio');
    await use(framed);
  },
});

test('runs no script in this browser, so that the other tests mean something', async ({
  plain,
}) => {
  await expect(plain.site.locator('main noscript p')).toHaveText('Sign in, and the form is here.');
  await expect(plain.site.locator('#compose')).toBeHidden();
});

test('signs in, makes a picture by the form, shows it and signs out [W05 W06 W13 W17]', async ({
  plain,
  platform,
}) => {
  platform.state.generations.setDuration(0);
  const { site } = plain;
  const panel = site.getByRole('region', { name: 'Signed out' });
  await expect(panel).toContainText('belong to your account');
  await panel.getByRole('button', { name: 'Sign in' }).click();
  await site.locator('button[value="ada"]').click();

  await site.locator('#plain-prompt').fill('A boat\nwith two sails');
  await generateIn(plain).click();
  await expect(site.getByRole('link', { name: 'Look again' })).toBeVisible();
  const picture = site.getByRole('img', { name: /A boat/ });
  await picture.scrollIntoViewIfNeeded();
  const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
  expect(await plain.path(), 'a reload would ask for no second picture').toBe('/studio');
  await site.getByRole('link', { name: 'Look again' }).click();
  await expect(picture).toBeVisible();
  expect(platform.ledger.calls({ endpoint: 'submit' })).toHaveLength(1);

  await site.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await expect(site.getByRole('heading', { name: 'Say it, and see it.' })).toBeVisible();
  await expect(site.getByRole('region', { name: 'Signed out' })).toBeVisible();
});

test('keeps the words that were refused, and says why [W33]', async ({ plain, platform, calm }) => {
  calm.allow(/status of 422/);
  const { site } = plain;
  await (
    await plain.frame()
  ).goto(platform.siteOrigin + platform.sessions.switchPath('ada', '/studio'));
  const words = 'A bell \u0007 that rings';
  await site.locator('#plain-prompt').fill(words);
  await generateIn(plain).click();
  await expect(problemIn(plain)).toHaveText('Remove the characters that cannot be shown.');
  await expect(site.locator('#plain-prompt')).toHaveValue(words);
  await expect(site.locator('#plain-prompt')).toHaveAttribute('aria-invalid', 'true');
  expect(platform.ledger.calls({ endpoint: 'submit' })).toEqual([]);
});

test('keeps the words when the session has ended, and when the platform fails [W11 W33]', async ({
  plain,
  platform,
  calm,
}) => {
  calm.allow(/status of (401|502)/);
  const { site } = plain;
  const signIn = async () => {
    await (
      await plain.frame()
    ).goto(platform.siteOrigin + platform.sessions.switchPath('ada', '/studio'));
  };
  await signIn();
  await platform.faults.set('submit', { kind: 'reset' });
  await site.locator('#plain-prompt').fill('Words that must stay');
  await generateIn(plain).click();
  await expect(problemIn(plain)).toContainText('The platform does not answer right now.');
  await expect(site.locator('#plain-prompt')).toHaveValue('Words that must stay');

  platform.sessions.revokeAll();
  await generateIn(plain).click();
  await expect(site.getByRole('region', { name: 'Signed out' })).toBeVisible();
  await expect(site.locator('main noscript p').last()).toHaveText(
    'Your words were: Words that must stay',
  );
});

/** Inside `<noscript>` Playwright finds no text by its words. */
function problemIn({ site }: Framed): Locator {
  return site.locator('#plain-prompt-error');
}

/** Not by its role alone: until the stylesheet is there, the other form's button counts as well. */
function generateIn({ site }: Framed): Locator {
  return site.locator('form:has(#plain-prompt)').getByRole('button', { name: 'Generate' });
}
