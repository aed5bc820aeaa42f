/** The platform breaks on purpose, at each endpoint in each way: the site stays calm and recovers. */
import type { BrowserContext } from '@playwright/test';
import { platformMessages } from '../app/components/platform-messages';
import { expect, test, type Framed } from './fixtures';
import type { Endpoint, FaultInput } from './harness/faults';
import type { Platform } from './harness/platform';
import { httpVisitor, jsonAsk } from './visitor-http';

/** Stands in every error of the platform. A visitor must never see it. */
const canary = 'canary-7c1f';
const errorBody = JSON.stringify({ error: canary, message: `${canary} at gpu-07.internal` });

/** Faults after which the site must answer as if nothing had been. */
const harmless: FaultInput[] = [
  { kind: 'delay', ms: 200 },
  { kind: 'drip', chunkBytes: 4_000, everyMs: 20 },
];

const harmful: FaultInput[] = [
  ...[302, 402, 403, 404, 429, 500, 999].map((status): FaultInput => ({
    kind: 'status',
    status,
    body: errorBody,
  })),
  {
    kind: 'status',
    status: 502,
    body: `<h1>${canary}</h1><script>alert(1)</script>`,
    contentType: 'text/html',
  },
  { kind: 'reset' },
  { kind: 'truncated' },
  { kind: 'redirect', location: `http://127.0.0.1:9/${canary}` },
  { kind: 'oversized', bytes: 2 * 1024 * 1024 },
  { kind: 'bad_json', body: `{"id":"${canary}","name":` },
  { kind: 'bad_json', body: `"${canary}"` },
  { kind: 'unreachable' },
];

/** What the site says, in any of its ways, and all it may say. */
const sayings = [...Object.values(platformMessages), 'Download failed ('].map((text) =>
  text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
);
const sanitised = new RegExp(sayings.join('|'));

interface Attempt {
  /** Does what calls the endpoint. */
  act: (framed: Framed, picture: string) => Promise<void>;
  shows: RegExp;
}

const attempts: Record<Exclude<Endpoint, '*'>, Attempt> = {
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
        const said = document.createElement('p');
        said.textContent = `${response.status} ${await response.text()}`;
        document.querySelector('main')?.append(said);
      }, `/api/generations/${picture}`);
    },
    shows: /\d{3} \{"error":"[a-z_]+"\}/,
  },
};

for (const [endpoint, { act, shows }] of Object.entries(attempts)) {
  test(`stays calm whatever becomes of ${endpoint} [W09 W20 W32 W33]`, async ({
    framed,
    signedIn,
    platform,
    context,
    calm,
  }) => {
    test.setTimeout(120_000);
    calm.allow(/Failed to load resource: the server responded with a status of \d{3}/);
    const leaks = watchForCanary(context);
    const picture = await pictureOf('ada', platform);
    await signedIn('ada', '/studio');
    await usable(framed);

    for (const fault of harmful) {
      await test.step(JSON.stringify(fault).slice(0, 80), async () => {
        await platform.faults.set(endpoint as Endpoint, fault);
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

for (const fault of harmless) {
  test(`works as ever through ${fault.kind} on every endpoint [W16]`, async ({
    framed,
    signedIn,
    platform,
  }) => {
    await pictureOf('ada', platform);
    await platform.faults.set('*', fault);
    await signedIn('ada', '/studio');
    await usable(framed);
    await framed.site.getByRole('textbox').fill('A slow sail');
    await framed.site.getByRole('button', { name: 'Generate' }).click();
    await expect(framed.site.getByRole('heading', { name: 'A slow sail' })).toBeVisible();
    const downloading = framed.page.waitForEvent('download');
    await framed.site.getByRole('button', { name: 'Download', exact: true }).first().click();
    expect(await (await downloading).failure()).toBeNull();
  });
}

const errorPages = [
  [403, 'This page is not open to you', 'Go to the home page'],
  [404, 'There is no such page', 'Go to the home page'],
  [500, 'The platform does not answer', 'Try again'],
  [503, 'The platform does not answer', 'Try again'],
] as const;

for (const [status, title, next] of errorPages) {
  test(`says what to do next on the page for ${status} [W15 W33]`, async ({
    framed,
    signedIn,
    platform,
    calm,
  }) => {
    calm.allow(/status of \d{3}/);
    await platform.faults.set('user', { kind: 'status', status, body: errorBody });
    await signedIn('ada', '/account');
    const { site } = framed;
    await expect(site.getByRole('heading', { name: title })).toBeVisible();
    await expect(site.getByRole('main').getByRole('button')).toHaveCount(0);
    await expect(site.locator('body')).not.toContainText(canary);
    await platform.faults.clear();
    await site.getByRole('link', { name: next }).click();
    const back = next === 'Try again' ? 'Account' : 'Say it, and see it.';
    await expect(site.getByRole('heading', { name: back })).toBeVisible();
  });
}

test('offers a way on from an address that is no page [W33]', async ({ framed, login, calm }) => {
  calm.allow(/status of 404 .*\/no-such-page/);
  await login('ada');
  await framed.open('/no-such-page?a=1');
  await expect(framed.site.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
  await expect(framed.site.getByText('Ada Quist')).toBeVisible();
  await framed.site.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(framed.site.getByText('Good to see you')).toBeVisible();
});

test('gives up on a platform that is too slow, and says 504 [W32]', async ({ platform }) => {
  await platform.faults.set('user', { kind: 'delay', ms: 60_000 });
  const ada = httpVisitor(platform, 'ada');
  const began = Date.now();
  const answers = await Promise.all(['/api/user', '/api/generations'].map((path) => ada.get(path)));
  for (const answer of answers) {
    expect([answer.status, answer.text]).toEqual([504, '{"error":"upstream_unavailable"}']);
  }
  expect(Date.now() - began).toBeGreaterThan(4_900);
  await expect
    .poll(() => platform.ledger.calls().map(({ outcome }) => outcome))
    .toEqual(['aborted', 'aborted']);
});

test('would notice the canary, where the contract lets it through [W03 W10]', async ({
  framed,
  platform,
  context,
  calm,
}) => {
  calm.allow(/status of 500/);
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
 * Reads every response the browser gets. `/api/user` relays the platform's own words by contract, and
 * so does a failed guard (W10); of those the pages must show nothing.
 */
function watchForCanary(context: BrowserContext, { everywhere = false } = {}) {
  const reading: Promise<string | null>[] = [];
  context.on('response', (response) => {
    const url = new URL(response.url());
    if (!url.hostname.startsWith('site.') || (url.pathname === '/api/user' && !everywhere)) return;
    // A redirect has no body, and a page that is left takes its bodies along, at times for good.
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

async function usable({ site }: Framed): Promise<void> {
  await expect(site.getByRole('textbox')).toBeEnabled();
  await expect(site.getByRole('button', { name: 'Download', exact: true }).last()).toBeEnabled();
}

async function pictureOf(persona: string, platform: Platform): Promise<string> {
  platform.generations.setDuration(0);
  const made = await httpVisitor(platform, persona).post(
    '/api/generations',
    jsonAsk({ prompt: 'A red kite' }),
  );
  return (made.json() as { id: string }).id;
}
