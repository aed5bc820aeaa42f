/** Injected platform faults in a browser: the page shows its own message, causes no browser errors, and recovers. */
import type { BrowserContext } from '@playwright/test';
import { platformMessages } from '../../app/shell/platform/platform-messages';
import { expect, hold, test, type Framed } from '../../e2e/fixtures';
import { canary, errorBody, type CalledEndpoint } from './fault-responses';
import type { FaultInput } from '@gatehouse/simulator/platform';
import type { Platform } from '../../e2e/platform';
import { makePicture, pictureShown } from '../../e2e/flows/studio/saved-picture';
import { httpVisitor } from '@gatehouse/simulator/http';

/** The faults with distinct effects in a browser. `faults.spec.ts` covers the others. */
const harmful: FaultInput[] = [
  { kind: 'status', status: 500, body: errorBody },
  { kind: 'redirect', location: `http://127.0.0.1:9/${canary}` },
  { kind: 'bad_json', body: `"${canary}"` },
];

/** All messages that the site may show for a failed platform call. */
const sayings = [...Object.values(platformMessages), 'Download failed ('].map((text) =>
  text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
);
const sanitised = new RegExp(sayings.join('|'));

interface Attempt {
  /** Makes the page call the endpoint. */
  act: (framed: Framed, picture: string) => Promise<void>;
  shows: RegExp;
}

const attempts: Record<Exclude<CalledEndpoint, '*'>, Attempt> = {
  user: { act: (framed) => framed.open('/studio'), shows: sanitised },
  list: { act: (framed) => framed.open('/studio'), shows: sanitised },
  submit: {
    async act({ site }) {
      await site.getByRole('textbox').fill('A sail');
      await site.getByRole('button', { name: 'Generate' }).click();
    },
    shows: sanitised,
  },
  output: {
    async act({ site }) {
      await site.getByRole('button', { name: 'Download', exact: true }).last().click();
    },
    shows: sanitised,
  },
  status: {
    async act(framed, picture) {
      const frame = await framed.frame();
      await frame.evaluate(async (path) => {
        const response = await fetch(path);
        const paragraph = document.createElement('p');
        paragraph.textContent = `${response.status} ${await response.text()}`;
        document.querySelector('main')?.append(paragraph);
      }, `/api/generations/${picture}`);
    },
    shows: /\d{3} \{"error":"[a-z_]+"\}/,
  },
};

for (const [endpoint, { act, shows }] of Object.entries(attempts)) {
  test(`shows its own message, and recovers, whatever fails in ${endpoint} [W09 W20 W32 W33]`, async ({
    framed,
    signedIn,
    platform,
    context,
    browserLog,
  }) => {
    test.slow();
    browserLog.allow(/Failed to load resource: the server responded with a status of \d{3}/);
    const leaks = watchForCanary(context);
    const picture = await pictureOf('ada', platform);
    await signedIn('ada', '/studio');
    await usable(framed);

    for (const fault of harmful) {
      await test.step(JSON.stringify(fault).slice(0, 80), async () => {
        await platform.faults.set(endpoint as keyof typeof attempts, fault);
        await act(framed, picture);
        const main = framed.site.getByRole('main');
        await expect(main.getByRole('heading', { name: 'Studio' })).toBeVisible();
        await expect(framed.site.locator('body')).toContainText(shows);
        await expect(framed.site.locator('body')).not.toContainText(canary);

        await platform.faults.clear();
        await framed.open('/studio');
        await usable(framed);
      });
    }
    expect(await leaks()).toEqual([]);
    expect(platform.ledger.violations()).toEqual([]);
  });
}

test('works normally while every response is slow [W16]', async ({
  framed,
  signedIn,
  platform,
}) => {
  await pictureOf('ada', platform);
  await platform.faults.set('*', { kind: 'drip', chunkBytes: 4_000, everyMs: 20 });
  await signedIn('ada', '/studio');
  await usable(framed);
  await framed.site.getByRole('textbox').fill('A slow sail');
  await framed.site.getByRole('button', { name: 'Generate' }).click();
  await expect(framed.site.getByRole('heading', { name: 'A slow sail' })).toBeVisible();
  const downloading = framed.page.waitForEvent('download');
  await framed.site.getByRole('button', { name: 'Download', exact: true }).first().click();
  expect(await (await downloading).failure()).toBeNull();
});

/** Outages that occur while the studio is open. */
const outages: [CalledEndpoint, FaultInput][] = [
  ['user', { kind: 'status', status: 503, body: errorBody }],
  ['*', { kind: 'unreachable' }],
];

for (const [endpoint, fault] of outages) {
  test(`recovers by itself from ${fault.kind} on ${endpoint}, in the page that is open [W16 W18 W33]`, async ({
    framed,
    signedIn,
    platform,
    browserLog,
  }) => {
    browserLog.allow(/status of 50[23] .*\/api\/user\)/);
    const { site, page } = framed;
    platform.clock.freeze();
    await makePicture(httpVisitor(platform, 'ada'), 'A kite that waits');
    await page.clock.install();
    await signedIn('ada', '/studio');
    const words = site.getByRole('textbox');
    await words.fill('Words that took an hour');
    const frame = await framed.frame();
    await frame.evaluate(() => Object.assign(window, { stays: true }));
    const picture = site.getByRole('heading', { name: 'A kite that waits' });
    const lost = site.getByRole('status').getByText(platformMessages.upstream_unavailable);
    await expect(picture).toBeVisible();
    await expect(lost).toHaveCount(0);

    await platform.faults.set(endpoint, fault);
    // The page polls a pending picture each second, and who is signed in every 30 seconds.
    await page.clock.fastForward(30_000);
    await expect(lost.first()).toBeVisible();
    await expect(words).toHaveValue('Words that took an hour');
    await expect(words, 'typing stays possible').toBeEnabled();
    const generate = site.getByRole('button', { name: 'Generate' });
    await expect(generate).toBeDisabled();
    await expect(picture, 'what was shown stays').toBeVisible();
    const cancel = site.getByRole('button', { name: 'Cancel' });
    await expect(cancel, 'nothing can be done with it').toBeDisabled();

    await platform.faults.clear();
    await page.clock.fastForward(30_000);
    await expect(lost).toHaveCount(0);
    await expect(words).toBeEnabled();
    await expect(words).toHaveValue('Words that took an hour');
    await expect(picture).toBeVisible();
    await expect(cancel).toBeEnabled();
    expect(await frame.evaluate(() => 'stays' in window), 'the document was not reloaded').toBe(
      true,
    );
    expect(platform.ledger.calls({ endpoint: 'submit' })).toHaveLength(1);
  });
}

const errorPages = [
  [403, 'You do not have access to this page', 'Go to the home page'],
  [404, 'The platform is not responding', 'Try again'],
  [500, 'The platform is not responding', 'Try again'],
  [503, 'This is temporarily unavailable', 'Try again'],
] as const;

for (const [status, title, next] of errorPages) {
  test(`the error page for ${status} offers the next step [W15 W33]`, async ({
    framed,
    signedIn,
    platform,
    browserLog,
  }) => {
    browserLog.allow(/status of \d{3}/);
    await platform.faults.set('user', { kind: 'status', status, body: errorBody });
    // Held, because a `/api/user` response after the outage would make the page recover and remove the link.
    const release = await hold(framed.page, '**/api/user');
    await signedIn('ada', '/account');
    const { site } = framed;
    await expect(site.getByRole('heading', { name: title })).toBeVisible();
    await expect(site.getByRole('main').getByRole('button')).toHaveCount(0);
    await expect(site.locator('body')).not.toContainText(canary);
    await platform.faults.clear();
    await site.getByRole('link', { name: next }).click();
    release();
    const back = next === 'Try again' ? 'Account' : 'Pictures and clips from your words';
    await expect(site.getByRole('heading', { name: back })).toBeVisible();
  });
}

test('offers a link on the page for 404 [W33]', async ({ framed, login, browserLog }) => {
  browserLog.allow(/status of 404 .*\/no-such-page/);
  await login('ada');
  await framed.open('/no-such-page?a=1');
  await expect(framed.site.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(framed.site.getByText('Ada Quist').first()).toBeVisible();
  await framed.site.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(framed.site.getByText('Welcome back')).toBeVisible();
});

test('detects the canary in the responses that the contract has relayed [W03 W10]', async ({
  framed,
  platform,
  context,
  browserLog,
}) => {
  browserLog.allow(/status of 500/);
  await platform.faults.set('user', { kind: 'status', status: 500, body: errorBody });
  const leaks = watchForCanary(context, { everywhere: true });
  const frame = await framed.frame();
  for (const path of ['/api/user', '/api/generations']) {
    await frame.evaluate((address) => fetch(address).then((response) => response.text()), path);
  }
  expect((await leaks()).map((url) => new URL(url).pathname)).toEqual(
    expect.arrayContaining(['/api/user', '/api/generations']),
  );
});

/**
 * Reads every response that the browser receives. By contract, `/api/user` and a failed guard (W10) relay the
 * platform's own error text, which pages must not show.
 */
function watchForCanary(context: BrowserContext, { everywhere = false } = {}) {
  const reading: Promise<string | null>[] = [];
  context.on('response', (response) => {
    const url = new URL(response.url());
    if (!url.hostname.startsWith('site.') || (url.pathname === '/api/user' && !everywhere)) return;
    // A redirect has no body, and after a navigation the bodies of the previous page may never become readable.
    const gone = new Promise<string>((resolve) => setTimeout(resolve, 5_000, ''));
    const body = Promise.race([response.text().catch(() => ''), gone]);
    reading.push(
      body.then((text) =>
        `${JSON.stringify(response.headers())}${text}`.includes(canary) ? response.url() : null,
      ),
    );
  });
  return async () => (await Promise.all(reading)).filter((url) => url !== null);
}

/** Waits until the studio is usable and its picture has loaded: a pending load would run into the next fault. */
async function usable(framed: Framed): Promise<void> {
  const { site } = framed;
  await expect(site.getByRole('textbox')).toBeEnabled();
  await pictureShown(framed);
  await expect(site.getByRole('button', { name: 'Download', exact: true }).last()).toBeEnabled();
}

async function pictureOf(persona: string, platform: Platform): Promise<string> {
  platform.state.generations.setDuration(0);
  return (await makePicture(httpVisitor(platform, persona))).id;
}
