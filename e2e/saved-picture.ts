/** A picture of somebody's, and saving it by the site's own button. */
import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from '@playwright/test';
import type { Framed } from './fixtures';
import type { Platform } from './harness/platform';
import { httpVisitor, makePicture, type MadePicture } from './visitor-http';

export interface Picture extends MadePicture {
  bytes: Buffer;
}

export async function pictureOf(persona: string, platform: Platform): Promise<Picture> {
  const visitor = httpVisitor(platform, persona);
  const made = await makePicture(visitor);
  return { ...made, bytes: (await visitor.get(made.path)).bytes };
}

export function downloadButton({ site }: Framed): Locator {
  return site.getByRole('listitem').getByRole('button', { name: 'Download', exact: true });
}

export async function save(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const downloading = page.waitForEvent('download');
  await button.click();
  const download = await downloading;
  return { name: download.suggestedFilename(), bytes: await bytesOf(download) };
}

export async function bytesOf(download: Download): Promise<Buffer> {
  return readFile(await download.path());
}
