/**
 * Sign-in states in every browser mode: signed out, signed in, a different person, an ended
 * session.
 */
import type { Locator } from '@playwright/test';
import { expect, hold, openMenuOf, test, type Framed } from '../../fixtures';
import { httpVisitor } from '@gatehouse/simulator/http';
import { makePicture } from './saved-picture';

test('shows the signed-out panel, and no enabled control [W15 W17 W18]', async ({ framed }) => {
  await framed.open('/studio');
  const { site } = framed;
  const panel = site.getByRole('region', { name: 'Signed out' });
  await expect(panel.getByRole('heading')).toBeVisible();
  for (const word of ['generation', 'uploads', 'credits', 'history']) {
    await expect(panel).toContainText(new RegExp(word, 'i'));
  }
  await expect(panel.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await expect(promptIn(framed)).toBeDisabled();
  await expect(site.getByRole('button', { name: 'Generate' })).toBeDisabled();
  await expect(site.getByRole('heading', { name: 'Your pictures and clips' })).toHaveCount(0);
  await expect(site.getByRole('button', { name: 'Download' })).toHaveCount(0);
});

test('returns from sign-in to the same path and query [W05 W17]', async ({ framed, platform }) => {
  const path = '/studio?mood=stormy&next=//fine.test/%3Fa%26b';
  await framed.open(path);
  const panel = framed.site.getByRole('region', { name: 'Signed out' });
  await panel.getByRole('button', { name: 'Sign in' }).click();
  await framed.site.locator('button[value="ada"]').click();
  await (await framed.frame()).waitForURL(platform.siteOrigin + path, { waitUntil: 'commit' });
  await expect(promptIn(framed)).toBeEnabled();
  await expect(framed.site.getByText('Ada Quist', { exact: true }).first()).toBeVisible();
  await expect(panel).toHaveCount(0);
});

test('notices that the session has ended, and keeps the prompt [W16 W18 W19]', async ({
  framed,
  login,
  platform,
  browserLog,
}) => {
  await framed.open('/studio');
  await login('ada');
  const { site } = framed;
  await expect(promptIn(framed)).toBeEnabled();
  // Typing focuses the frame, which makes the page check the session. That check must not come
  // first.
  const release = await hold(framed.page, '**/api/user');
  await promptIn(framed).fill('Words that took an hour');
  await expect(site.getByText('You have 120 credits.')).toBeVisible();

  platform.sessions.revokeAll('ada');
  browserLog.allow(/status of 401 .*\/(studio\.data|estimate\?)/);
  const refusal = framed.page.waitForResponse((response) => response.request().method() === 'POST');
  await site.getByRole('button', { name: 'Generate' }).click();
  expect((await refusal).status()).toBe(401);
  release();
  await expect(site.getByRole('region', { name: 'Signed out' })).toBeVisible();
  await expect(promptIn(framed)).toBeDisabled();
  await expect(promptIn(framed)).toHaveValue('Words that took an hour');
  await expect(site.getByRole('button', { name: 'Generate' })).toBeDisabled();
  await expect(site.getByText('Ada Quist', { exact: true })).toHaveCount(0);
  expect(platform.ledger.calls({ endpoint: 'submit' })).toEqual([]);
});

test('notices by itself when the page becomes visible again [W16 W18]', async ({
  framed,
  login,
  platform,
}) => {
  await framed.open('/studio');
  await login('ada');
  await promptIn(framed).fill('Words');
  await expect(framed.site.getByText('You have 120 credits.')).toBeVisible();
  platform.sessions.advance(9 * 60 * 60 * 1000);
  await (await framed.frame()).evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(framed.site.getByRole('region', { name: 'Signed out' })).toBeVisible();
  await expect(promptIn(framed)).toHaveValue('Words');
  await expect(promptIn(framed)).toBeDisabled();
});

for (const [person, comes] of [
  ['ada', 'are restored'],
  ['bobby', 'are deleted'],
] as const) {
  test(`after a sign-in as ${person}, Ada’s unsent words ${comes} [W05 W17]`, async ({
    framed,
    login,
    platform,
    mode,
  }) => {
    await framed.open('/studio');
    await login('ada');
    await promptIn(framed).fill('Words that\ntook an hour');
    await expect(framed.site.getByText('You have 120 credits.')).toBeVisible();
    platform.sessions.revokeAll('ada');
    await (await framed.frame()).evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(promptIn(framed)).toBeDisabled();

    await login(person);
    await expect(promptIn(framed)).toBeEnabled();
    // A frame without storage access cannot keep them.
    const kept = person === 'ada' && mode.storage !== 'denied';
    await expect(promptIn(framed)).toHaveValue(kept ? 'Words that\ntook an hour' : '');
  });
}

test(
  'shows no signed-in control before the browser has confirmed who it is [W16 W18]',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, login, page, context }) => {
    await login('ada');
    await context.addInitScript(watchControls);
    const respond = await hold(page, '**/api/user');
    const requested = page.waitForRequest('**/api/user');
    await framed.open('/studio');
    await requested;
    // The page is complete and its scripts run: only the response is missing.
    await expect(promptIn(framed)).toBeDisabled();
    await expect(framed.site.getByText('Ada Quist', { exact: true })).toHaveCount(0);
    expect(await sightings(framed)).toEqual({ before: [], after: [] });

    respond();
    await expect(promptIn(framed)).toBeEnabled();
    const { before, after } = await sightings(framed);
    expect(before).toEqual([]);
    expect(after, 'the watch sees controls when there are some').toContain('Add references');
  },
);

test('signs out to the home page, and the session has ended [W06]', async ({
  framed,
  login,
  signOut,
  platform,
}) => {
  await framed.open('/studio?mood=calm');
  await login('ada');
  await signOut();
  expect(await framed.path()).toBe('/');
  await expect(framed.site.getByRole('region', { name: 'Signed out' })).toBeVisible();
  expect(platform.sessions.revokeAll()).toBe(0);
});

test('redirects a signed-out visit to the account page to sign-in and back [W05 W15]', async ({
  framed,
  platform,
}) => {
  await framed.open('/account?tab=plan');
  expect(await framed.path()).toBe('/__auth/login?return=%2Faccount%3Ftab%3Dplan');
  await framed.site.locator('button[value="bobby"]').click();
  await (await framed.frame()).waitForURL(`${platform.siteOrigin}/account?tab=plan`);
  await expect(framed.site.getByRole('definition').first()).toHaveText('<b>Bobby</b> & "Tables"');
});

test(
  'redirects to sign-in from a link to the account page, too [W05 W15]',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, login, platform }) => {
    await login('ada');
    await framed.hydrated();
    await openMenuOf(framed.site.getByRole('banner'), 'Sign out');
    platform.sessions.revokeAll('ada');
    await framed.site.getByRole('link', { name: 'Account details' }).click();
    await (
      await framed.frame()
    ).waitForURL(`${platform.siteOrigin}/__auth/login?return=%2Faccount`);
    await expect(
      framed.site.getByRole('heading', { name: 'Sign in to the platform' }),
    ).toBeVisible();
  },
);

test(
  'navigates between pages without loading documents',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, login }) => {
    await login('ada');
    await expect(framed.site.getByText('Welcome back, Ada Quist.')).toBeVisible();
    const frame = await framed.frame();
    await frame.evaluate(() => ((window as { stays?: boolean }).stays = true));
    await framed.site.getByRole('link', { name: 'Studio', exact: true }).click();
    await expect(promptIn(framed)).toBeEnabled();
    await openMenuOf(framed.site.getByRole('banner'), 'Sign out');
    await framed.site.getByRole('link', { name: 'Account details' }).click();
    await expect(framed.site.getByRole('heading', { name: 'Account' })).toBeVisible();
    expect(await frame.evaluate(() => (window as { stays?: boolean }).stays)).toBe(true);
  },
);

test('shows only one’s own pictures, to one person after another [W13 W18]', async ({
  framed,
  login,
  signOut,
  platform,
}) => {
  // A finished picture would be requested, possibly after the session has ended.
  platform.clock.freeze();
  await makePicture(httpVisitor(platform, 'ada'), 'Of Ada alone');
  await framed.open('/studio');
  await login('ada');
  await expect(framed.site.getByText('Of Ada alone')).toBeVisible();
  await signOut();
  await framed.open('/studio');
  await login('bobby');
  await expect(framed.site.getByText('Nothing here yet.')).toBeVisible();
  await expect(framed.site.getByText('Of Ada alone')).toHaveCount(0);
});

function promptIn({ site }: Framed): Locator {
  return site.getByRole('textbox', { name: 'What do you want to see?' });
}

interface Sightings {
  before: string[];
  after: string[];
}

/**
 * Injected before the page's scripts: records each enabled control, before and after the response
 * arrived.
 */
function watchControls(): void {
  const seen: Sightings = { before: [], after: [] };
  Object.assign(window, { seenControls: seen });
  let responded = false;
  const fetchOfPage = window.fetch.bind(window);
  window.fetch = async (...request) => {
    const response = await fetchOfPage(...request);
    if (response.url.endsWith('/api/user')) responded = true;
    return response;
  };
  const look = (): void => {
    for (const control of document.querySelectorAll('main button, main textarea, main input')) {
      const name = control.textContent.trim() || control.tagName;
      if (!control.matches(':disabled') && name !== 'Sign in') {
        seen[responded ? 'after' : 'before'].push(name);
      }
    }
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
  });
}

async function sightings(framed: Framed): Promise<Sightings> {
  const frame = await framed.frame();
  return frame.evaluate(() => (window as unknown as { seenControls: Sightings }).seenControls);
}
