/**
 * `npm run pictures`: takes the screenshots for the documents, of the running site and of the proof's HTML report. Run
 * `npm run boundary` first, which builds the site and writes the report.
 */
import { mkdir } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { findBrowser } from '@gatehouse/simulator/browser';
import { httpVisitor } from '@gatehouse/simulator/http';
import { makePicture } from '../../e2e/flows/studio/saved-picture';
import { startPlatform } from '../../e2e/platform';
import { startSite } from '@gatehouse/simulator/programs';

const folder = 'docs/pictures';
const prompts = [
  'Terraced hills before the rain',
  'A lighthouse in a storm, seen from the sea',
  'The last ferry leaves at dusk',
  'Three lemons on a windowsill',
];

const platform = await startPlatform({ port: 0, internalPort: 0 });
platform.state.generations.setDuration(1);
const site = await startSite({
  internalUrl: platform.internalUrl,
  siteOrigin: platform.siteOrigin,
  frameAncestors: platform.platformUrl,
});
platform.setSiteUpstream(site.url);
const { executablePath } = await findBrowser();
const root = process.getuid?.() === 0;
const browser = await chromium.launch({ executablePath, args: root ? ['--no-sandbox'] : [] });

try {
  const { id } = platform.personas[0] ?? { id: '' };
  const visitor = httpVisitor(platform, id);
  for (const [index, prompt] of prompts.entries()) {
    // The last one is still pending when the screenshot is taken.
    if (index === prompts.length - 1) platform.state.generations.setDuration(10_000);
    await makePicture(visitor, prompt);
  }
  platform.clock.freeze();
  platform.clock.advance(6_000);

  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1440, height: 1000 } });
    await page.goto(platform.platformUrl);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('link', { name: 'Studio', exact: true }).click();
    await frame.getByRole('region').getByRole('button', { name: 'Sign in' }).click();
    await frame.getByRole('button').first().click();
    await frame.getByRole('button', { name: 'Download' }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: `${folder}/studio-framed-${colorScheme}.png` });
    await page.setViewportSize({ width: 1280, height: 820 });
    await page.goto(pathToFileURL('test-results/boundary.html').href);
    await page.screenshot({ path: `${folder}/boundary-${colorScheme}.png` });
    await page.close();
  }
} finally {
  await browser.close();
  await site.stop();
  await platform.close();
}
