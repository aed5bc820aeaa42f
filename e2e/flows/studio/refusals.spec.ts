/** What the platform refuses of an order that looked right on the page, each beside its cause. */
import { open } from 'node:fs/promises';
import { expect, test } from '../../fixtures';
import { drawPicture } from '@gatehouse/simulator/samples';

const png = drawPicture('A fixture');
/** The EICAR test file in base64, so that no scanner finds it in this repository. */
const eicar = Buffer.from(
  'WDVPIVAlQEFQWzRcUFpYNTQoUF4pN0NDKTd9JEVJQ0FSLVNUQU5EQVJELUFOVElWSVJVUy1URVNULUZJTEUhJEgrSCo=',
  'base64',
);

test(
  'infected and oversized files, a lost reference, too many jobs and a lost workspace are explained at their cause, and cost nothing [W19 W20 W33]',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn, platform, browserLog }, testInfo) => {
    browserLog.allow(
      /status of (404|409|422|429) .*\/(studio\.data|api\/(media|generations\/estimate))/,
    );
    const person = 'xochitl';
    const press = `wsp_${person}_press`;
    const { generations, media, workspaces } = platform.state;
    const persona = platform.personas.find(({ id }) => id === person);
    if (!persona || !workspaces.choose(persona, press)) throw new Error('There is no workspace.');
    platform.clock.freeze();
    await signedIn(person, '/studio');
    const { site } = framed;
    const prompt = site.getByRole('textbox');
    const generate = site.getByRole('button', { name: /^Generate/ });
    const files = site.getByLabel('Reference files');
    const row = (name: string) =>
      site
        .getByRole('region', { name: 'References' })
        .getByRole('listitem')
        .filter({ hasText: name });
    await expect(files).toBeEnabled();
    await prompt.fill('A kite');

    const huge = testInfo.outputPath('huge.png');
    const file = await open(huge, 'w');
    // Sparse: it takes no space on the disk.
    await file.truncate(100 * 1024 * 1024 + 1);
    await file.close();
    await files.setInputFiles(huge);
    await files.setInputFiles({
      name: 'infected.png',
      mimeType: 'image/png',
      buffer: Buffer.concat([png, eicar]),
    });
    for (const [name, message] of [
      ['huge.png', 'This file is too large.'],
      ['infected.png', 'This file may be harmful, so it was not saved.'],
    ] as const) {
      await expect(row(name)).toContainText(message);
      await expect(site.getByText(/could not be added/)).toHaveText(/^\d of \d could/);
      await expect(generate).toBeDisabled();
      await site.getByRole('button', { name: `Remove ${name}` }).click();
      // Not at the top of the page: Tab goes on to the next control.
      await framed.page.keyboard.press('Tab');
      await expect(site.getByRole('button', { name: 'Add references' })).toBeFocused();
    }
    expect(media.kept()).toEqual([]);

    const order = async (message: string) => {
      await expect(generate).toBeEnabled();
      await generate.click();
      await expect(site.getByRole('alert')).toHaveText(message);
      await expect(prompt).toHaveValue('A kite');
      expect(generations.pending(person, press)).toBe(jobs);
    };
    let jobs = 0;
    await files.setInputFiles({ name: 'lost.png', mimeType: 'image/png', buffer: png });
    await expect(site.getByRole('button', { name: 'Remove lost.png' })).toBeVisible();
    media.remove(person, media.kept()[0]?.id ?? '');
    await order('A reference no longer exists. Choose it again.');
    await site.getByRole('button', { name: 'Remove lost.png' }).click();

    for (; jobs < 24; jobs++) generations.submit(person, `Job ${jobs}`, { workspace: press });
    await order('Too many generations are running. Wait for one to finish.');

    workspaces.leave(person, press);
    await order('You no longer have access to this workspace. Choose another one.');
    await expect(site.getByRole('banner').getByText('8 credits')).toBeVisible();
  },
);
