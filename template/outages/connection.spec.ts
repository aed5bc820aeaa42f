/** How a page handles responses that do not come from its routes: the edge's, the listener's, or none. */
import { readFile } from 'node:fs/promises';
import { expect, test, type Framed } from '../../e2e/fixtures';
import { canary, errorBody } from './fault-responses';

const edgeResponse = {
  kind: 'status',
  status: 503,
  body: '<h1>Not now</h1>',
  contentType: 'text/html',
} as const;
const edgeNotice = 'The site is not responding (503).';
const statusNoise = /^error: Failed to load resource: the server responded with a status of \d{3} /;

for (const to of ['/__auth/login?return=%2Faccount', '/__auth/login', '/__auth/login/']) {
  test(`a client navigation to ${to} reaches sign-in, which returns to the site [W05]`, async ({
    framed,
    platform,
  }) => {
    await framed.open('/studio?cursor=2');
    await framed.hydrated();
    await navigate(framed, to);
    const { site } = framed;
    await expect(site.getByRole('heading', { name: 'Sign in to the platform' })).toBeVisible();
    await site.locator('button[value="ada"]').click();
    const frame = await framed.frame();
    await frame.waitForURL(
      platform.siteOrigin + (to.includes('return') ? '/account' : '/studio?cursor=2'),
    );
    // The browser sent no data request for the platform's route.
    expect(platform.ledger.entries({ note: 'auth_route_fetched' })).toEqual([]);
  });
}

test('a client navigation to /__auth/logout reaches sign-out [W06]', async ({
  framed,
  signedIn,
}) => {
  await signedIn('ada', '/studio');
  await framed.hydrated();
  await navigate(framed, '/__auth/logout');
  await expect(
    framed.site.getByRole('heading', { name: 'Pictures and clips from your words' }),
  ).toBeVisible();
  await expect(
    framed.site.getByRole('banner').getByRole('button', { name: 'Sign in' }),
  ).toBeVisible();
});

for (const how of ['refused by the edge', 'offline'] as const) {
  test(`a navigation while ${how} completes when the site is back, and keeps the old page until then`, async ({
    framed,
    platform,
    context,
    browserLog,
  }) => {
    browserLog.allow(statusNoise);
    browserLog.allow(/ERR_INTERNET_DISCONNECTED/);
    const { site } = framed;
    await framed.open('/');
    await scriptOf('studio', framed);
    await framed.hydrated();
    const frame = await framed.frame();
    await frame.evaluate(() => Object.assign(window, { stays: true }));

    if (how === 'offline') await context.setOffline(true);
    else await platform.faults.set('site', edgeResponse);
    await site.getByRole('link', { name: 'Open Studio' }).click();
    await expect(
      site.getByText(how === 'offline' ? 'The connection was lost.' : edgeNotice),
    ).toBeVisible();
    await expect(
      site.getByRole('heading', { name: 'Pictures and clips from your words' }),
    ).toBeVisible();

    if (how === 'offline') await context.setOffline(false);
    else await platform.faults.clear();
    await expect(site.getByRole('heading', { name: 'Studio' })).toBeVisible();
    await expect(site.getByText('Nothing on this page is lost')).toHaveCount(0);
    expect(await frame.evaluate(() => 'stays' in window), 'the document was not reloaded').toBe(
      true,
    );
  });
}

test('a fetcher call during an outage completes afterwards, and the page stays', async ({
  framed,
  signedIn,
  platform,
  browserLog,
}) => {
  browserLog.allow(statusNoise);
  const { site } = framed;
  await signedIn('ada', '/');
  await scriptOf('account', framed);
  await framed.hydrated();
  await platform.faults.set('site', edgeResponse);
  const frame = await framed.frame();
  await frame.evaluate(() => {
    const router = window.__remixRouter;
    router.subscribe(({ fetchers }) => {
      const response = fetchers.get('question')?.data as unknown;
      if (response !== undefined) Object.assign(window, { response });
    });
    router.fetch('question', 'root', '/account');
  });
  await expect(site.getByText(edgeNotice)).toBeVisible();
  await expect(
    site.getByRole('heading', { name: 'Pictures and clips from your words' }),
  ).toBeVisible();
  await platform.faults.clear();
  await expect(site.getByText(edgeNotice)).toHaveCount(0);
  await expect
    .poll(() => frame.evaluate(() => ('response' in window ? window.response : null)))
    .toMatchObject({ profile: { displayName: 'Ada Quist' } });
});

test('a background revalidation that fails leaves the page as it is [W33]', async ({
  framed,
  signedIn,
  platform,
  browserLog,
}) => {
  browserLog.allow(statusNoise);
  const { site } = framed;
  await signedIn('ada', '/account');
  await expect(site.getByRole('main').getByText('ada@', { exact: false })).toBeVisible();
  await platform.faults.set('user', { kind: 'status', status: 500, body: errorBody });
  const frame = await framed.frame();
  await frame.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(site.getByRole('status').getByText('The platform is not responding')).toBeVisible();
  await expect(site.getByRole('heading', { name: 'Account' })).toBeVisible();
  await expect(site.locator('body')).not.toContainText(canary);
  await platform.faults.clear();
  await expect(site.getByText('Nothing on this page is lost')).toHaveCount(0);
  await expect(site.getByRole('banner').getByText('Ada Quist').first()).toBeVisible();
});

test('a submission over the size limit is reported, and can be corrected', async ({
  page,
  framed,
  signedIn,
  platform,
  browserLog,
}) => {
  browserLog.allow(/status of 413 /);
  const { site } = framed;
  await signedIn('ada', '/studio');
  const words = site.getByRole('textbox');
  await expect(words).toBeEnabled();
  await words.fill('A sail');
  // The field truncates what exceeds its limit, so the request's body is replaced on its way.
  const tooMuch = new URLSearchParams({ prompt: 'x'.repeat(1_000_000) }).toString();
  await page.route(
    (url) => url.pathname === '/studio.data',
    (route) =>
      route.request().method() === 'POST'
        ? route.continue({ postData: tooMuch })
        : route.continue(),
    { times: 1 },
  );
  await site.getByRole('button', { name: 'Generate' }).click();
  await expect(site.getByText('That is too large for this site (413).')).toBeVisible();
  expect(platform.ledger.calls({ endpoint: 'submit' })).toEqual([]);
  await site.getByRole('button', { name: 'Generate' }).click();
  await expect(site.getByRole('heading', { name: 'A sail' })).toBeVisible();
  await expect(site.getByText('That is too large')).toHaveCount(0);
});

test('a submission that failed is reported until it is dismissed', async ({
  framed,
  signedIn,
  platform,
  browserLog,
}) => {
  browserLog.allow(statusNoise);
  const { site } = framed;
  await signedIn('ada', '/studio');
  await site.getByRole('textbox').fill('A sail');
  await platform.faults.set('site', { ...edgeResponse, status: 403 });
  await site.getByRole('button', { name: 'Generate' }).click();
  const notice = site.getByText('Nothing was submitted.');
  await expect(notice).toBeVisible();
  await platform.faults.clear();
  await expect(site.getByText('Nothing on this page is lost')).toHaveCount(0);
  await site.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toHaveCount(0);
  await expect(site.getByRole('textbox')).toHaveValue('A sail');
});

test('a page that crashes in the browser shows an error, and claims no log entry [W33]', async ({
  framed,
  browserLog,
}) => {
  browserLog.allow(/^error: /);
  await framed.page.route(/\/assets\/studio-[\w-]+\.js$/, async (route) => {
    // A chunk that the page shares with others has its name, too.
    const file = `build/client${new URL(route.request().url()).pathname}`;
    if (!(await readFile(file, 'utf8')).includes(' as default')) return route.continue();
    const body = `export const handle = { signedOut: 'page' };
      export default function Studio() { throw new Error('a fault of this page'); }`;
    return route.fulfill({ contentType: 'text/javascript', body });
  });
  await framed.open('/');
  await framed.hydrated();
  await framed.site.getByRole('link', { name: 'Open Studio' }).click();
  await expect(framed.site.getByRole('heading', { name: 'This page crashed' })).toBeVisible();
  await expect(framed.site.locator('body')).not.toContainText('has been logged');
});

/** A client navigation, as by `Link`, `navigate` or a loader's redirect. */
async function navigate(framed: Framed, to: string): Promise<void> {
  const frame = await framed.frame();
  await frame.evaluate((address) => void window.__remixRouter.navigate(address), to);
}

/** Waits until the current document itself has loaded the script of another page. */
async function scriptOf(page: string, framed: Framed): Promise<void> {
  const frame = await framed.frame();
  await expect
    .poll(() =>
      frame.evaluate(
        (name) =>
          performance
            .getEntriesByType('resource')
            .some((entry) => entry.name.includes(`/assets/${name}-`)),
        page,
      ),
    )
    .toBe(true);
}
