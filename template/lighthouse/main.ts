/**
 * `npm run lighthouse`: runs Lighthouse on the built site with its mobile emulation. Prints a table of scores and the
 * failed audits, and exits with 1 if a page misses a target. Requires `npm run build`. Loopback only.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '@gatehouse/simulator/browser';
import { freePort, startSite } from '@gatehouse/simulator/programs';
import { startPlatform } from '../../e2e/platform';
import { measure, type Report } from './measure';

/** Minimum scores, from 0 to 100. */
const targets = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 } as const;

/** Pages that need a visitor. */
const hidden = ['/studio', '/credits', '/settings', '/notes'];

/** The best of this many attempts counts: other load on the machine only makes a page slower, never faster. */
const attempts = 3;

const platform = await startPlatform({ port: 0, internalPort: 0 });
const site = await startSite({
  internalUrl: platform.internalUrl,
  siteOrigin: platform.siteOrigin,
  frameAncestors: platform.platformUrl,
  smtpUrl: platform.smtpUrl,
});
platform.setSiteUpstream(site.url);
platform.state.generations.setDuration(0);
for (const prompt of ['Terraced hills', 'A lighthouse in a storm', 'Three lemons'])
  platform.state.generations.submit('ada', prompt);

const port = await freePort();
const profile = await mkdtemp(path.join(tmpdir(), 'lighthouse-'));
const { executablePath } = await findBrowser();
const browser = await chromium.launchPersistentContext(profile, {
  executablePath,
  args: [`--remote-debugging-port=${port}`],
  chromiumSandbox: process.getuid?.() !== 0,
});

try {
  const reports: Report[] = [];
  const visit = async (name: string, address: string, isSignedIn: boolean) => {
    const url = platform.siteOrigin + address;
    const isHidden = hidden.includes(address);
    let best = await measure({ name, url, port, isSignedIn, isHidden });
    for (let attempt = 1; attempt < attempts && problemsOf(best).length > 0; attempt++) {
      const next = await measure({ name, url, port, isSignedIn, isHidden });
      if (next.scores.performance > best.scores.performance) best = next;
    }
    reports.push(best);
  };
  await visit('Home', '/', false);
  await visit('Studio, signed out', '/studio', false);
  const page = await browser.newPage();
  await page.goto(platform.siteOrigin + platform.sessions.switchPath('ada', '/studio'));
  await page.getByText('Ada Quist', { exact: true }).first().waitFor();
  await visit('Studio, signed in', '/studio', true);
  await visit('Credits', '/credits', true);
  await visit('Sign in to a site account', '/sign-in', true);
  await visit('Sign up', '/sign-up', true);
  await visit('Forgotten password', '/reset-password', true);
  await signInToSiteAccount(page);
  await page.close();
  await visit('Settings', '/settings', true);
  await visit('Notes', '/notes', true);

  console.table(Object.fromEntries(reports.map(({ name, scores }) => [name, scores])));
  for (const { name, findings } of reports) {
    for (const finding of findings) console.log(`${name}: ${finding}`);
  }
  const problems = reports.flatMap(problemsOf);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 20 });
  await site.stop();
  await platform.close();
}

async function signInToSiteAccount(page: Page): Promise<void> {
  const person = { Name: 'Ada', 'E-mail': 'ada@example.org', Password: 'a long pass phrase' };
  const main = page.getByRole('main');
  await page.goto(`${platform.siteOrigin}/sign-up`);
  for (const [label, value] of Object.entries(person)) await main.getByLabel(label).fill(value);
  await main.getByRole('button', { name: 'Sign up' }).click();
  const { links } = await platform.mailbox.next(person['E-mail']);
  await page.goto(links.find((link) => link.includes('token=')) ?? '');
  await main.getByRole('button', { name: 'Confirm' }).click();
  await main.getByRole('heading', { name: 'Confirmed' }).waitFor();
  await page.goto(`${platform.siteOrigin}/sign-in`);
  await main.getByLabel('E-mail').fill(person['E-mail']);
  await main.getByLabel('Password').fill(person.Password);
  await main.getByRole('button', { name: 'Sign in' }).click();
  await main.getByRole('heading', { name: 'Settings' }).waitFor();
}

function problemsOf({ name, scores, excused }: Report): string[] {
  return Object.entries(targets).flatMap(([category, target]) => {
    const score = scores[category as keyof typeof targets];
    const isMet = score >= target || excused.has(category);
    return isMet ? [] : [`${name}: ${category} is ${score}, and should be at least ${target}.`];
  });
}
