/**
 * Outages while somebody types, submits, or waits for a picture: no input is lost, the page reports the state
 * correctly, and it recovers by itself. This run has one short outage of each kind; `npm run test:outages` repeats
 * them with lengths of up to 30 seconds and prints measurements.
 */
import type { BrowserContext } from '@playwright/test';
import { platformMessages } from '../../app/shell/platform/platform-messages';
import { expect, siteEntry, siteSettings, test as base, type Framed } from '../../e2e/fixtures';
import type { Platform } from '../../e2e/platform';
import { startSite, type Site } from '@gatehouse/simulator/programs';
import { makePicture } from '../../e2e/flows/studio/saved-picture';
import { httpVisitor } from '@gatehouse/simulator/http';

interface Doubles {
  platform: Platform;
  context: BrowserContext;
  /** A site process for this test alone, which may be killed. */
  site: { current: Site };
}

interface Outage {
  /** The message that the page must show during the outage. */
  notice: string;
  /** The message that it must show about a submission during the outage. Null where submitting is disabled. */
  noticeOfSent: string | null;
  end: () => Promise<void>;
}

/** The result of one outage, for `outages-table.ts`. */
export interface MeasuredOutage {
  kind: string;
  moment: string;
  seconds: number;
  /** The page showed the messages it must. */
  reported: boolean;
  /** The page kept the visitor's input, and worked again. */
  kept: boolean;
  /** Milliseconds from the outage's end until the page works; null when it did not. */
  back: number | null;
}

const unsure = 'Your submission may not have arrived.';
const refused = 'Nothing was submitted.';

const kinds: Record<string, (doubles: Doubles, round: number) => Promise<Outage>> = {
  async 'the site is killed'({ platform, site }) {
    const { url } = site.current;
    site.current.child.kill('SIGKILL');
    await site.current.exited;
    return {
      notice: 'The site is not responding (502).',
      noticeOfSent: unsure,
      async end() {
        site.current = await startOwnSite(platform, Number(new URL(url).port));
      },
    };
  },
  async 'the edge refuses'({ platform }, round) {
    const [status, notice, noticeOfSent] =
      edgeResponses[round % edgeResponses.length] ?? edgeResponses[0];
    const body = '<h1>Not now</h1>';
    await platform.faults.set('site', { kind: 'status', status, body, contentType: 'text/html' });
    return { notice, noticeOfSent, end: () => platform.faults.clear('site') };
  },
  async 'the platform is down'({ platform }) {
    await platform.faults.set('*', { kind: 'unreachable' });
    const notice = platformMessages.upstream_unavailable;
    return { notice, noticeOfSent: null, end: () => platform.faults.clear('*') };
  },
  async 'the visitor is offline'({ context }) {
    await context.setOffline(true);
    return {
      notice: 'The connection was lost.',
      noticeOfSent: unsure,
      end: () => context.setOffline(false),
    };
  },
};

const edgeResponses = [
  [503, 'The site is not responding (503).', unsure],
  [502, 'The site is not responding (502).', unsure],
  [429, 'The platform is receiving too many requests (429).', refused],
  [403, 'The platform blocked this request (403).', refused],
] as const;

const moments = ['typing', 'sending', 'waiting for a picture'] as const;
type Moment = (typeof moments)[number];

const test = base.extend<{
  ownSite: Doubles['site'];
  longest: number;
  measured: MeasuredOutage;
}>({
  /** Seconds of the longest outage. 0: each outage ends once the page has reported it, and covers all moments. */
  longest: [0, { option: true }],

  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
  measured: async ({}, use, { annotations }) => {
    const measured = { kind: '', moment: '', seconds: 0, reported: false, kept: false, back: null };
    await use(measured);
    annotations.push({ type: 'outage', description: JSON.stringify(measured) });
  },

  ownSite: async ({ stack: { platform, site } }, use) => {
    const own = { current: await startOwnSite(platform) };
    platform.setSiteUpstream(own.current.url);
    await use(own);
    platform.setSiteUpstream(site.url);
    // Ledger notes about the outage itself are not violations of the site.
    platform.ledger.clear();
    await own.current.stop();
  },
});

for (const [kind, begin] of Object.entries(kinds)) {
  test(`${kind}: input stays, the outage is reported, and the page recovers by itself [W14 W19]`, async ({
    ownSite,
    framed,
    signedIn,
    platform,
    context,
    browserLog,
    longest,
    measured,
  }, { repeatEachIndex: round, project }) => {
    test.slow();
    browserLog.allow(/^error: Failed to load resource: /);
    browserLog.allow(/^request: net::ERR_/);
    const now: readonly Moment[] = longest
      ? [moments[round % moments.length] ?? 'typing']
      : moments;
    const seconds = longest && 1 + ((longest - 1) * round) / Math.max(project.repeatEach - 1, 1);
    Object.assign(measured, { kind, moment: now.join(', '), seconds });

    const { site } = framed;
    const words = site.getByRole('textbox');
    const generate = site.getByRole('button', { name: 'Generate' });
    platform.clock.freeze();
    const waits = now.includes('waiting for a picture');
    if (waits) await makePicture(httpVisitor(platform, 'ada'), 'A kite that waits');
    await signedIn('ada', '/studio');
    await expect(words).toBeEnabled();
    await words.pressSequentially('Words that ');
    const frame = await framed.frame();
    await frame.evaluate(() => Object.assign(window, { stays: true }));

    const began = Date.now();
    const outage = await begin({ platform, context, site: ownSite }, round);
    const sends = now.includes('sending') && outage.noticeOfSent !== null;
    try {
      await words.pressSequentially('took an hour');
      // As when the window regains focus, upon which the page checks who is signed in.
      await frame.evaluate(() => window.dispatchEvent(new Event('focus')));
      await expect(site.getByText(outage.notice).first()).toBeVisible();
      if (outage.noticeOfSent === null) {
        await expect(generate).toBeDisabled();
      } else if (sends) {
        await generate.click();
        await expect(site.getByText(outage.noticeOfSent)).toBeVisible();
        await words.focus();
      }
      measured.reported = true;
      await keepsEverything(framed);
      await new Promise((resolve) => setTimeout(resolve, began + seconds * 1_000 - Date.now()));
      await keepsEverything(framed);
    } finally {
      await outage.end();
    }

    const ended = Date.now();
    // The notice about an unanswered submission stays until it is sent again.
    await expect(site.getByText(outage.notice)).toHaveCount(sends ? 1 : 0);
    await expect(generate).toBeEnabled();
    measured.back = Date.now() - ended;
    await keepsEverything(framed);
    measured.kept = true;

    // Everything works again, and the submission during the outage was not sent a second time.
    if (waits) await expect(site.getByRole('heading', { name: 'A kite that waits' })).toBeVisible();
    await generate.click();
    await expect(site.getByRole('heading', { name: 'Words that took an hour' })).toBeVisible();
    await expect(words).toHaveValue('');
    expect(platform.ledger.calls({ endpoint: 'submit' })).toHaveLength(waits ? 2 : 1);
    await expect(site.getByText('Your input is still here')).toHaveCount(0);
    expect(await frame.evaluate(() => 'stays' in window), 'the document was not reloaded').toBe(
      true,
    );
  });
}

/** The visitor's input, which must not be lost. */
async function keepsEverything({ site }: Framed): Promise<void> {
  const words = site.getByRole('textbox');
  await expect(words).toHaveValue('Words that took an hour');
  await expect(words).toBeEditable();
  await expect(words).toBeFocused();
  await expect(site.getByRole('heading', { name: 'Studio' })).toBeVisible();
}

function startOwnSite(platform: Platform, port?: number): Promise<Site> {
  return startSite({ ...siteSettings(platform), entry: siteEntry, ...(port && { port }) });
}
