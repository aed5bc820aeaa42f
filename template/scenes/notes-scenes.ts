/** The notes of a site account. */
import type { Locator } from '@playwright/test';
import { expect } from '../../e2e/fixtures';
import { newPerson, open, signIn, signUpByHttp } from '../../e2e/flows/accounts/person';
import type { Scene, SceneParts } from './scene';

const bread = '# Bread\n\nFlour, water and salt. Knead for ten minutes, and wait.\n';
const boat = '# Boat\n\nSails and ropes.\n';

export const notesScenes: readonly Scene[] = [
  {
    name: 'notes, empty',
    show: async (parts) => {
      await openAs(parts, '/notes');
    },
  },
  {
    name: 'notes, a new one with errors',
    show: async (parts) => {
      const page = await openAs(parts, '/notes');
      await page.getByText('New note', { exact: true }).click();
      await page.getByRole('textbox', { name: 'Tags' }).fill('a'.repeat(41));
      await page.getByRole('button', { name: 'Add note' }).click();
      await expect(page.getByText('A tag has at most 40 characters.')).toBeVisible();
    },
  },
  {
    name: 'notes, imported',
    show: async (parts) => {
      const page = await importNotes(parts);
      await expect(page.getByRole('status')).toHaveText('Imported 2 notes.');
    },
  },
  {
    name: 'notes, a list with one deleted',
    show: async (parts) => {
      const page = await importNotes(parts);
      await page.getByRole('link', { name: 'All notes' }).click();
      const note = page.getByRole('listitem').filter({ hasText: 'Boat' });
      await note.getByRole('button', { name: 'Delete' }).click();
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
    },
  },
  {
    name: 'note',
    show: async (parts) => {
      const page = await importNotes(parts);
      await page.getByRole('link', { name: 'All notes' }).click();
      await page.getByRole('link', { name: 'Bread', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Save' })).toBeVisible();
    },
  },
  {
    name: 'notes, a file that cannot be imported',
    show: async (parts) => {
      const page = await openAs(parts, '/notes/import');
      const files = page.getByLabel('JSON or Markdown files');
      const buffer = Buffer.from('{');
      await files.setInputFiles({ name: 'n.json', mimeType: 'application/json', buffer });
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await expect(files).toHaveAttribute('aria-invalid', 'true');
    },
  },
];

async function openAs({ framed, platform }: SceneParts, path: string): Promise<Locator> {
  const ada = newPerson();
  await signUpByHttp(platform, ada);
  await signIn(framed, ada);
  return open(framed, path);
}

async function importNotes(parts: SceneParts): Promise<Locator> {
  const page = await openAs(parts, '/notes/import');
  await page.getByLabel('JSON or Markdown files').setInputFiles(
    [bread, boat].map((text, at) => ({
      name: `${at}.md`,
      mimeType: 'text/markdown',
      buffer: Buffer.from(text),
    })),
  );
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('link', { name: 'All notes' })).toBeVisible();
  return page;
}
