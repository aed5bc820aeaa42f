/** Notes in the platform's frame, from the first one to an export. */
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { expect, test, type Framed } from '../../fixtures';
import { complaintsInLightAndDark } from '@gatehouse/simulator/browser';
import { newPerson, open, signIn, signUp } from '../accounts/person';

async function write(page: Locator, words: { title: string; text: string; tags?: string }) {
  await page.getByText('New note', { exact: true }).click();
  await page.getByLabel('Title').fill(words.title);
  await page.getByLabel('Text', { exact: true }).fill(words.text);
  await page.getByRole('textbox', { name: 'Tags' }).fill(words.tags ?? '');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByRole('link', { name: words.title, exact: true })).toBeVisible();
}

function titles(page: Locator): Locator {
  return page.getByRole('list', { name: 'Notes' }).getByRole('heading', { level: 2 });
}

async function expectForEverybody(framed: Framed): Promise<void> {
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
    await write(page, { title: 'Bread', text: 'Flour, water and salt.', tags: 'Home, baking' });
    await write(page, { title: 'Boat', text: 'Sails and ropes.', tags: 'home' });
    await expect(titles(page)).toHaveText(['Boat', 'Bread']);
    await expectForEverybody(framed);

    await page
      .getByRole('listitem')
      .filter({ hasText: 'Bread' })
      .getByRole('button', { name: 'Pin' })
      .click();
    await expect(titles(page)).toHaveText(['Bread', 'Boat']);
    await page.getByRole('searchbox').fill('ROPES');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(titles(page)).toHaveText(['Boat']);
    await expect(page.getByRole('searchbox')).toHaveAccessibleDescription(/^Words are found by /);
    await expectForEverybody(framed);
    await open(framed, '/notes');
    await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'baking' }).click();
    await expect(titles(page)).toHaveText(['Bread']);

    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('status').filter({ hasText: '“Bread” is deleted.' })).toBeVisible();
    await expect(titles(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(titles(page)).toHaveText(['Bread']);

    await test.step('two tabs', async () => {
      await page.getByRole('link', { name: 'Bread', exact: true }).click();
      await page.getByLabel('Text', { exact: true }).fill('Of this tab.');
      const other = await framed.page.context().newPage();
      await other.goto(platform.platformUrl);
      const tab = other.frameLocator('iframe[src]');
      await tab.getByRole('banner').waitFor();
      await (await framed.frame()).waitForURL(/\/notes\/[\w-]+$/);
      const address = await framed.path();
      const frame = other.frames().find((frame) => frame.url().startsWith(platform.siteOrigin));
      await frame?.goto(platform.siteOrigin + address);
      await tab.getByLabel('Text', { exact: true }).fill('Of the other tab.');
      await tab.getByRole('button', { name: 'Save' }).click();
      await expect(tab.getByText('Saved.')).toBeVisible();
      await other.close();

      await page.getByRole('button', { name: 'Save' }).click();
      await expect(
        page.getByRole('heading', { name: 'This note was changed in the meantime' }),
      ).toBeFocused();
      await expect(page.getByLabel('Text', { exact: true })).toHaveValue('Of this tab.');
      await expect(page.getByRole('group', { name: 'Current version' })).toContainText(
        'Of the other tab.',
      );
      await expectForEverybody(framed);
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
      const third = Buffer.from('# Third\n\nFrom a file.\n');
      const json = { name: 'notes.json', mimeType: 'application/json', buffer: file };
      const files = [json, { name: 'third.md', mimeType: 'text/markdown', buffer: third }];
      const field = page.getByLabel('JSON or Markdown files');
      const wrong = Buffer.from('[{"title":"a","content":"b"},{}]');
      await field.setInputFiles([{ ...json, name: 'wrong.json', buffer: wrong }]);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await expect(field).toHaveAccessibleDescription(/^Nothing was imported\. /);
      await expect(
        page.getByRole('listitem').filter({ hasText: '“wrong.json”, note ' }),
      ).toHaveText([/note 1: content: A note has only title, /, /note 2: Write a title or a text/]);
      await expectForEverybody(framed);
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
      await expectForEverybody(framed);
      await page.getByRole('link', { name: 'All notes' }).click();
      await expect(titles(page)).toHaveCount(3);
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
      const here = (path: string) => page.goto(platform.siteOrigin + path);
      await here('/sign-up');
      const form = page.getByRole('main');
      await form.getByLabel('Name').fill(ada.name);
      await form.getByLabel('E-mail').fill(ada.email);
      await form.getByLabel('Password').fill(ada.password);
      await form.getByRole('button', { name: 'Sign up' }).click();
      const { links } = await platform.mailbox.next(ada.email);
      await page.goto(links.find((link) => link.includes('token=')) ?? '');
      await form.getByRole('button', { name: 'Confirm' }).click();
      await here('/notes');
      await form.getByLabel('E-mail').fill(ada.email);
      await form.getByLabel('Password').fill(ada.password);
      await form.getByRole('button', { name: 'Sign in' }).click();

      await form.getByText('New note', { exact: true }).click();
      await form.getByLabel('Tags').fill('a'.repeat(41));
      await form.getByLabel('Title').fill('Bread');
      await form.getByRole('button', { name: 'Add note' }).click();
      await expect(form.getByText('A tag has at most 40 characters.')).toBeVisible();
      await expect(form.getByLabel('Title')).toHaveValue('Bread');
      await form.getByLabel('Tags').fill('home');
      await form.getByRole('button', { name: 'Add note' }).click();
      await expect(titles(form)).toHaveText(['Bread']);
      await form.getByRole('button', { name: 'Pin' }).click();
      await expect(form.getByText('Pinned')).toBeVisible();
      await form.getByRole('button', { name: 'Delete' }).click();
      await form.getByRole('button', { name: 'Undo' }).click();
      await expect(titles(form)).toHaveText(['Bread']);
    },
  );
});
