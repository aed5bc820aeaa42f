/** Another site in a sibling frame: its requests carry the visitor's session cookie, and are rejected. */
import type { Frame, Page } from '@playwright/test';
import { expect, test } from '../../e2e/fixtures';
import type { Platform } from '../../e2e/platform';
import { submit } from './order';

const evilOrigin = 'http://evil.localhost:8080';

/** Opens a page of the platform with two frames: the site, signed in as Ada, and a hostile site. */
async function withSibling(page: Page, platform: Platform): Promise<{ site: Frame; evil: Frame }> {
  const inFrame = platform.siteOrigin + platform.sessions.switchPath('ada', '/studio');
  const html = (body: string) => ({ body: `<!doctype html>${body}`, contentType: 'text/html' });
  await page.route(`${platform.platformUrl}/two`, (route) =>
    route.fulfill(
      html(`<iframe name="site" src="${inFrame}"></iframe>
        <iframe name="evil" src="${evilOrigin}/"></iframe>`),
    ),
  );
  await page.route(`${evilOrigin}/`, (route) =>
    route.fulfill(html('<form method="post"><input name="prompt" value="stolen"></form>')),
  );
  await page.goto(`${platform.platformUrl}/two`);
  const [site, evil] = [page.frame('site'), page.frame('evil')];
  if (!site || !evil) throw new Error('A frame is missing.');
  await expect(site.getByRole('textbox')).toBeEnabled();
  platform.ledger.clear();
  return { site, evil };
}

/** Leaves out the site's own polling of `/api/user`, every 30 seconds. */
function callsOfOthers({ ledger }: Platform) {
  return ledger.calls().filter(({ siteRequest }) => siteRequest?.path !== '/api/user');
}

const forms = [
  ['/studio', 'application/x-www-form-urlencoded'],
  ['/studio', 'multipart/form-data'],
  ['/studio?index', 'application/x-www-form-urlencoded'],
  ['/studio.data', 'application/x-www-form-urlencoded'],
  [submit(), 'text/plain'],
] as const;

for (const [path, enctype] of forms) {
  test(`refuses a sibling frame’s ${enctype} form to ${path} [W09 W19]`, async ({
    page,
    platform,
    browserLog,
  }) => {
    browserLog.allow(/status of 403/);
    const { evil } = await withSibling(page, platform);
    const response = page.waitForResponse((response) => response.request().method() === 'POST');
    await evil.evaluate(
      ({ action, type }) => {
        const form = document.forms[0];
        if (!form) throw new Error('no form');
        form.action = action;
        form.enctype = type;
        form.submit();
      },
      { action: platform.siteOrigin + path, type: enctype },
    );
    expect((await response).status()).toBe(403);
    await expect(evil.getByText('{"error":"cross_site_request"}')).toBeVisible();
    expect(callsOfOthers(platform)).toEqual([]);
  });
}

test('refuses a sibling frame’s fetches, and discloses nothing to it [W09 W19]', async ({
  page,
  platform,
  browserLog,
}) => {
  browserLog.allow(/CORS policy|ERR_FAILED|status of 40[0-9]|ERR_BLOCKED_BY_RESPONSE/);
  const { evil } = await withSibling(page, platform);
  const attempt = (path: string, init: RequestInit) =>
    evil.evaluate(
      ([url, options]) =>
        fetch(url, { credentials: 'include', ...options }).then(
          async (response) => `${response.type} ${response.status} ${await response.text()}`,
          () => 'refused by the browser',
        ),
      [platform.siteOrigin + path, init] as const,
    );
  const body = JSON.stringify({ prompts: ['stolen'] });
  const json = { 'content-type': 'application/json' };
  const post = { method: 'POST', body };

  expect(await attempt(submit(), { ...post, headers: json })).toBe('refused by the browser');
  for (const path of [submit(), '/studio', '/studio.data']) {
    expect(await attempt(path, { ...post, mode: 'no-cors' })).not.toMatch(/201|stolen/);
  }
  expect(callsOfOthers(platform)).toEqual([]);

  for (const path of ['/api/user', '/api/generations', '/studio.data']) {
    expect(await attempt(path, {})).toBe('refused by the browser');
    expect(await attempt(path, { mode: 'no-cors' })).not.toMatch(/usr_ada|items/);
  }
});

test('the threat is real: a sibling’s request carries the session [W19]', async ({
  page,
  platform,
  browserLog,
}) => {
  browserLog.allow(/ERR_BLOCKED_BY_RESPONSE|ERR_FAILED/);
  const { site, evil } = await withSibling(page, platform);
  await evil.evaluate(
    (url) => fetch(url, { credentials: 'include', mode: 'no-cors' }).catch(() => undefined),
    `${platform.siteOrigin}/api/user?from=sibling`,
  );
  expect(platform.ledger.calls({ path: '/api/user?from=sibling' })).toMatchObject([
    { persona: 'ada', status: 200 },
  ]);

  // The site's own page succeeds with the same request that was refused above.
  const status = await site.evaluate(async (path) => {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify({ prompts: ['one’s own'] }),
    });
    return response.status;
  }, submit());
  expect(status).toBe(201);
});

test('cannot be framed by any other site than the platform', async ({
  page,
  platform,
  browserLog,
}) => {
  browserLog.allow(/frame-ancestors|ERR_BLOCKED_BY_RESPONSE|Framing/);
  await page.route(`${evilOrigin}/frames`, (route) =>
    route.fulfill({
      body: `<!doctype html><iframe src="${platform.siteOrigin}/studio"></iframe>`,
      contentType: 'text/html',
    }),
  );
  await page.goto(`${evilOrigin}/frames`);
  await expect
    .poll(() => browserLog.all())
    .toContainEqual(expect.stringMatching(/frame-ancestors/));
  await expect(page.frameLocator('iframe').getByRole('banner')).toHaveCount(0);
});
