/** The studio and the page of credits. */
import type { FrameLocator, Locator } from '@playwright/test';
import { expect } from '../../e2e/fixtures';
import { makePicture } from '../../e2e/flows/studio/saved-picture';
import { httpVisitor } from '@gatehouse/simulator/http';
import type { Scene, SceneParts } from './scene';

export const studioScenes: readonly Scene[] = [
  {
    name: 'studio, signed out',
    show: async ({ framed }) => {
      await framed.open('/studio');
      await expect(framed.site.getByRole('region', { name: 'Signed out' })).toBeVisible();
    },
  },
  {
    name: 'studio, empty',
    show: async ({ framed, signedIn }) => {
      await signedIn('zoe', '/studio');
      await expect(framed.site.getByText('Nothing here yet.')).toBeVisible();
    },
    inView: (site) => site.getByText('Nothing here yet.'),
  },
  {
    name: 'studio, too few credits',
    show: async ({ framed: { site }, signedIn }) => {
      await signedIn('zoe', '/studio');
      await prompt(site).fill('A kite');
      await expect(site.getByText('This costs 1 credit, and you have 0.')).toBeVisible();
    },
  },
  {
    name: 'studio, pictures in every state',
    show: async ({ framed: { site }, platform, signedIn }) => {
      platform.clock.freeze();
      const ada = httpVisitor(platform, 'ada');
      await makePicture(ada, 'A finished kite');
      await makePicture(ada, 'Fail please');
      platform.clock.advance(3_000);
      await makePicture(ada, 'A half drawn kite');
      platform.clock.advance(1_500);
      await makePicture(ada, 'A kite that waits');
      await signedIn('ada', '/studio');
      await expect(site.getByRole('button', { name: 'View' })).toBeEnabled();
      await expect(site.getByText('Something went wrong. Nothing was charged')).toBeVisible();
    },
    inView: (site) => site.getByRole('listitem').filter({ hasText: 'A finished kite' }),
  },
  {
    name: 'studio, a picture opened',
    show: async ({ framed: { site }, ...parts }) => {
      await showFinished(parts);
      await site.getByRole('button', { name: 'View' }).click();
      await expect(site.getByRole('dialog').getByRole('img')).toBeVisible();
    },
  },
  {
    name: 'studio, a clip',
    show: async ({ framed: { site }, platform, signedIn }) => {
      platform.state.generations.setDuration(0);
      platform.state.generations.submit('ada', 'Waves', { kind: 'clip' });
      await signedIn('ada', '/studio?kind=clip');
      const clip = site.getByLabel('Waves', { exact: true });
      await clip.evaluate((video: HTMLVideoElement) => video.play());
      await expect
        .poll(() => clip.evaluate((video: HTMLVideoElement) => video.currentTime))
        .toBeGreaterThan(0);
    },
    inView: (site) => site.getByLabel('Waves', { exact: true }),
  },
  {
    name: 'studio, several prompts and a reference',
    show: async ({ framed: { site }, signedIn }) => {
      await signedIn('ada', '/studio');
      const input = site.getByLabel('Reference files');
      await expect(input).toBeEnabled();
      await input.setInputFiles('docs/pictures/studio-framed-light.png');
      await expect(site.getByRole('button', { name: /^Remove studio/ })).toBeVisible();
      await prompt(site).fill('A kite over the sea');
      await site.getByRole('button', { name: 'Add a prompt' }).click();
      await site.getByRole('textbox').nth(1).fill('A lighthouse in a storm');
      await expect(generate(site)).toHaveText(/credits/);
    },
  },
  {
    name: 'studio, in forced colors',
    show: async ({ framed: { page, site }, ...parts }) => {
      await page.emulateMedia({ forcedColors: 'active' });
      await showFinished(parts);
      await prompt(site).fill('A kite');
      await expect(generate(site)).toBeEnabled();
    },
  },
  {
    name: 'studio, right-to-left text and a long name',
    show: async ({ framed: { site }, platform, signedIn }) => {
      platform.state.generations.setDuration(0);
      platform.state.generations.submit('xochitl', 'مَنارة في العاصفة');
      await signedIn('xochitl', '/studio');
      await site.getByLabel('Workspace').selectOption({ label: 'ערב טוב Press' });
      await prompt(site).fill('مَنارة في العاصفة');
    },
  },
  {
    name: 'studio, a selection',
    show: async ({ framed: { site }, ...parts }) => {
      await showFinished(parts);
      await site
        .getByRole('checkbox', { name: /^Select/ })
        .first()
        .check();
    },
    inView: (site) => site.getByRole('checkbox', { name: /^Select/ }).first(),
  },
  {
    name: 'studio, an archive on its way',
    show: async ({ framed: { site }, platform, signedIn }) => {
      platform.state.generations.setDuration(0);
      const prompts = ['One', 'Two', 'Three', 'Four'].map((word) => `${word}: heavy please`);
      for (const prompt of prompts) platform.state.generations.submit('ada', prompt);
      await signedIn('ada', '/studio');
      await expect(site.getByRole('button', { name: 'View' })).toHaveCount(prompts.length);
      for (const prompt of prompts)
        await site.getByRole('checkbox', { name: `Select ${prompt}` }).check();
      // Lasts until every picture of it is taken.
      await platform.faults.set('output', { kind: 'drip', chunkBytes: 500_000, everyMs: 400 });
      await site.getByRole('button', { name: 'Download as zip' }).click();
      await expect(cancelArchive(site)).toBeVisible();
    },
    inView: cancelArchive,
  },
  {
    name: 'studio, a deleted picture and its undo',
    show: async ({ framed: { site }, ...parts }) => {
      await showFinished(parts);
      await site.getByRole('button', { name: 'Delete' }).click();
      // A toast does not time out while the pointer is over it.
      await site.getByRole('button', { name: 'Undo' }).hover();
    },
  },
  {
    name: 'studio, a refused prompt',
    show: async ({ framed: { site }, platform, signedIn }) => {
      platform.state.generations.setDuration(0);
      await signedIn('ada', '/studio');
      await prompt(site).fill('Refuse please');
      await generate(site).click();
      await expect(site.getByText('The platform does not allow this prompt.')).toBeVisible();
    },
  },
  {
    name: 'studio, a refused reference',
    show: async ({ framed: { site }, signedIn }) => {
      await signedIn('ada', '/studio');
      const input = site.getByLabel('Reference files');
      await expect(input).toBeEnabled();
      const buffer = Buffer.from('Just words.');
      await input.setInputFiles({ name: 'note.png', mimeType: 'image/png', buffer });
      await expect(site.getByText('The platform does not accept this type of file.')).toBeVisible();
    },
  },
  {
    name: 'studio, a toast',
    show: async ({ framed: { site }, platform, signedIn }) => {
      platform.clock.freeze();
      await signedIn('ada', '/studio');
      await prompt(site).fill('A kite');
      await generate(site).click();
      await site.getByText('Submitted.').hover();
    },
  },
  {
    name: 'credits',
    show: async ({ framed: { site }, signedIn }) => {
      await signedIn('ada', '/credits');
      await expect(site.getByRole('heading', { name: 'Credits', level: 1 })).toBeVisible();
    },
  },
];

function prompt(site: FrameLocator): Locator {
  return site.getByRole('textbox', { name: 'What do you want to see?' });
}

function cancelArchive(site: FrameLocator): Locator {
  return site.getByRole('button', { name: /^Cancel the download of/ });
}

function generate(site: FrameLocator): Locator {
  return site.getByRole('button', { name: /^Generate/ });
}

async function showFinished({ platform, signedIn }: Omit<SceneParts, 'framed'>): Promise<void> {
  platform.state.generations.setDuration(0);
  await makePicture(httpVisitor(platform, 'ada'), 'A finished kite');
  await signedIn('ada', '/studio');
}
