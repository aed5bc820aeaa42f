/** Notes in the platform's frame, from the first one to an export. */
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { expect, test, type Framed } from '../../fixtures';
import { complaintsInLightAndDark } from '@gatehouse/simulator/browser';
import { newPerson, open, signIn, signUp, submitCredentials } from '../accounts/person';

interface NewNote {
  title: string;
  text: string;
  tags: string;
}

async function addNote(page: Locator, { title, text, tags }: NewNote): Promise<void> {
  await page.getByText('New note', { exact: true }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Text', { exact: true }).fill(text);
  await page.getByRole('textbox', { name: 'Tags' }).fill(tags);
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible();
}

function titlesIn(main: Locator): Locator {
  return main.getByRole('list', { name: 'Notes' }).getByRole('heading', { level: 2 });
}

async function expectAccessible(framed: Framed): Promise<void> {
  const frame = await framed.frame();
  expect(await complaintsInLightAndDark(frame)).toEqual([]);
}

test(
  'writes, tags, finds, pins, deletes and restores, resolves a conflict, exports and imports',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, platform, browserLog }) => {
    // Expected: the conflict's 409, and the rejected import's 422.
    browserLog.allow(/^error: Failed to load resource: .* status of 4(09|22) /);
    const ada = newPerson();
    await signUp(framed, platform, ada);
    await signIn(framed, ada);

    const page = await open(framed, '/notes');
    await expect(page.getByText('Your first one will appear here.')).toBeVisible();
    await addNote(page, { title: 'Bread', text: 'Flour, water and salt.', tags: 'Home, baking' });
    await addNote(page, { title: 'Boat', text: 'Sails and ropes.', tags: 'home' });
    await expect(titlesIn(page)).toHaveText(['Boat', 'Bread']);
    await expectAccessible(framed);

    await page
      .getByRole('listitem')
      .filter({ hasText: 'Bread' })
      .getByRole('button', { name: 'Pin' })
      .click();
    await expect(titlesIn(page)).toHaveText(['Bread', 'Boat']);
    await page.getByRole('searchbox').fill('ROPES');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(titlesIn(page)).toHaveText(['Boat']);
    await expect(page.getByRole('searchbox')).toHaveAccessibleDescription(/^Words are found by /);
    await expectAccessible(framed);
    await open(framed, '/notes');
    await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'baking' }).click();
    await expect(titlesIn(page)).toHaveText(['Bread']);

    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('status').filter({ hasText: '“Bread” is deleted.' })).toBeVisible();
    await expect(titlesIn(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(titlesIn(page)).toHaveText(['Bread']);

    await test.step('two tabs', async () => {
      await page.getByRole('link', { name: 'Bread', exact: true }).click();
      await page.getByLabel('Text', { exact: true }).fill('Of this tab.');
      const otherPage = await framed.page.context().newPage();
      await otherPage.goto(platform.platformUrl);
      const otherTab = otherPage.frameLocator('iframe[src]');
      await otherTab.getByRole('banner').waitFor();
      await (await framed.frame()).waitForURL(/\/notes\/[\w-]+$/);
      const address = await framed.path();
      const frames = otherPage.frames();
      const otherFrame = frames.find((frame) => frame.url().startsWith(platform.siteOrigin));
      await otherFrame?.goto(platform.siteOrigin + address);
      await otherTab.getByLabel('Text', { exact: true }).fill('Of the other tab.');
      await otherTab.getByRole('button', { name: 'Save' }).click();
      await expect(otherTab.getByText('Saved.')).toBeVisible();
      await otherPage.close();

      await page.getByRole('button', { name: 'Save' }).click();
      await expect(
        page.getByRole('heading', { name: 'This note was changed in the meantime' }),
      ).toBeFocused();
      await expect(page.getByLabel('Text', { exact: true })).toHaveValue('Of this tab.');
      await expect(page.getByRole('group', { name: 'Current version' })).toContainText(
        'Of the other tab.',
      );
      await expectAccessible(framed);
      await page.getByRole('button', { name: 'Keep mine' }).click();
      await expect(page.getByText('Saved.')).toBeVisible();
      await expect(page.getByLabel('Text', { exact: true })).toHaveValue('Of this tab.');
    });

    await test.step('export and import', async () => {
      await open(framed, '/notes/import');
      const saved = framed.page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).first().click();
      const download = await saved;
      expect(download.suggestedFilename()).toBe('notes.json');
      const file = await readFile(await download.path());
      expect(JSON.parse(file.toString())).toMatchObject({ notes: [{}, {}] });
      const markdown = Buffer.from('# Third\n\nFrom a file.\n');
      const json = { name: 'notes.json', mimeType: 'application/json', buffer: file };
      const files = [json, { name: 'third.md', mimeType: 'text/markdown', buffer: markdown }];
      const field = page.getByLabel('JSON or Markdown files');
      const invalid = Buffer.from('[{"title":"a","content":"b"},{}]');
      await field.setInputFiles([{ ...json, name: 'wrong.json', buffer: invalid }]);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await expect(field).toHaveAccessibleDescription(/^Nothing was imported\. /);
      await expect(
        page.getByRole('listitem').filter({ hasText: '“wrong.json”, note ' }),
      ).toHaveText([/note 1: content: A note has only title, /, /note 2: Write a title or a text/]);
      await expectAccessible(framed);
      for (const message of [
        'Imported one note; 2 were already there.',
        'Nothing was imported: 3 were already there.',
        'Nothing was imported: 3 were already there.',
      ]) {
        await field.setInputFiles(files);
        await page.getByRole('button', { name: 'Import', exact: true }).click();
        await expect(field).toHaveJSProperty('value', '');
        await expect(page.getByRole('status')).toHaveText(message);
      }
      await expectAccessible(framed);
      await page.getByRole('link', { name: 'All notes' }).click();
      await expect(titlesIn(page)).toHaveCount(3);
    });
  },
);

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test(
    'writes a note, sees its errors, pins, deletes and restores it',
    { tag: ['@long', '@one-mode'] },
    async ({ page, platform, browserLog }) => {
      // The browser logs these because scripts are disabled, and because a form was rejected.
      browserLog.allow(/^request: csp .*\.js\)$/);
      browserLog.allow(/^error: Failed to load resource: .* status of 422 /);
      const ada = newPerson();
      const goTo = (path: string) => page.goto(platform.siteOrigin + path);
      await goTo('/sign-up');
      const main = page.getByRole('main');
      await main.getByLabel('Name').fill(ada.name);
      await submitCredentials(main, ada, 'Sign up');
      const { links } = await platform.mailbox.next(ada.email);
      await page.goto(links.find((link) => link.includes('token=')) ?? '');
      await main.getByRole('button', { name: 'Confirm' }).click();
      await goTo('/notes');
      await submitCredentials(main, ada);

      await main.getByText('New note', { exact: true }).click();
      await main.getByLabel('Tags').fill('a'.repeat(41));
      await main.getByLabel('Title').fill('Bread');
      await main.getByRole('button', { name: 'Add note' }).click();
      await expect(main.getByText('A tag has at most 40 characters.')).toBeVisible();
      await expect(main.getByLabel('Title')).toHaveValue('Bread');
      await main.getByLabel('Tags').fill('home');
      await main.getByRole('button', { name: 'Add note' }).click();
      await expect(titlesIn(main)).toHaveText(['Bread']);
      await main.getByRole('button', { name: 'Pin' }).click();
      await expect(main.getByText('Pinned')).toBeVisible();
      await main.getByRole('button', { name: 'Delete' }).click();
      await main.getByRole('button', { name: 'Undo' }).click();
      await expect(titlesIn(main)).toHaveText(['Bread']);
    },
  );
});
