/** The site without JavaScript. */
import type { Locator } from '@playwright/test';
import { expect, framedIn, test as base, type Framed } from '../../fixtures';

const test = base.extend<{ plain: Framed }>({
  javaScriptEnabled: false,
  /** The simulator's own page needs scripts, so a plain page on its origin holds the frame. */
  plain: async ({ page, platform, browserLog }, use) => {
    // The browser logs this because scripts are disabled.
    browserLog.allow(/^request: csp .*\.js\)$/);
    const address = `${platform.platformUrl}/plain`;
    const body = `<!doctype html><iframe width="900" height="600" src="${platform.siteOrigin}/studio"></iframe>`;
    await page.route(address, (route) => route.fulfill({ body, contentType: 'text/html' }));
    await page.goto(address);
    const framed = framedIn(page, platform);
    // The first page of a new frame may be parsed before Playwright has disabled scripts, which
    // turns the content of `<noscript>` into text. Later pages are not affected.
    await framed.open('/studio');
    await use(framed);
  },
});

test('control: this browser runs no scripts', { tag: '@long' }, async ({ plain }) => {
  await expect(plain.site.locator('main noscript p')).toHaveText('Sign in to use this form.');
  await expect(plain.site.locator('#compose')).toBeHidden();
});

test(
  'signs in, generates a picture with the form, shows it and signs out [W05 W06 W13 W17]',
  { tag: '@long' },
  async ({ plain, platform }) => {
    platform.state.generations.setDuration(0);
    const { site } = plain;
    const panel = site.getByRole('region', { name: 'Signed out' });
    await expect(panel).toContainText('belong to your account');
    await panel.getByRole('button', { name: 'Sign in' }).click();
    await site.locator('button[value="ada"]').click();

    await site.locator('#plain-prompt').fill('A boat\nwith two sails');
    await generateIn(plain).click();
    await expect(site.getByRole('link', { name: 'Refresh' })).toBeVisible();
    const picture = site.getByRole('img', { name: /A boat/ });
    await picture.scrollIntoViewIfNeeded();
    const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(width).toBeGreaterThan(0);
    expect(await plain.path(), 'a reload would ask for no second picture').toBe('/studio');
    await site.getByRole('link', { name: 'Refresh' }).click();
    await expect(picture).toBeVisible();
    expect(platform.ledger.calls({ endpoint: 'submit' })).toHaveLength(1);

    await site.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
    await expect(
      site.getByRole('heading', { name: 'Pictures and clips from your words' }),
    ).toBeVisible();
    await expect(site.getByRole('region', { name: 'Signed out' })).toBeVisible();
  },
);

test(
  'keeps a refused prompt, and says why [W33]',
  { tag: ['@long', '@one-mode'] },
  async ({ plain, platform, browserLog }) => {
    browserLog.allow(/status of 422/);
    const { site } = plain;
    await (
      await plain.frame()
    ).goto(platform.siteOrigin + platform.sessions.switchPath('ada', '/studio'));
    const words = 'A bell \u0007 that rings';
    await site.locator('#plain-prompt').fill(words);
    await generateIn(plain).click();
    await expect(problemIn(plain)).toHaveText('Remove the invisible control characters.');
    await expect(site.locator('#plain-prompt')).toHaveValue(words);
    await expect(site.locator('#plain-prompt')).toHaveAttribute('aria-invalid', 'true');
    expect(platform.ledger.calls({ endpoint: 'submit' })).toEqual([]);
  },
);

test(
  'keeps the prompt when the session has ended, and when the platform fails [W11 W33]',
  { tag: ['@long', '@one-mode'] },
  async ({ plain, platform, browserLog }) => {
    browserLog.allow(/status of (401|502)/);
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
    await expect(problemIn(plain)).toContainText('The platform is not responding.');
    await expect(site.locator('#plain-prompt')).toHaveValue('Words that must stay');

    platform.sessions.revokeAll();
    await generateIn(plain).click();
    await expect(site.getByRole('region', { name: 'Signed out' })).toBeVisible();
    await expect(site.locator('main noscript p').last()).toHaveText(
      'Your prompt: Words that must stay',
    );
  },
);

/** Playwright cannot find text inside `<noscript>` by its content. */
function problemIn({ site }: Framed): Locator {
  return site.locator('#plain-prompt-error');
}

/** Not by role alone: until the stylesheet has loaded, the other form's button matches as well. */
function generateIn({ site }: Framed): Locator {
  return site.locator('form:has(#plain-prompt)').getByRole('button', { name: 'Generate' });
}
