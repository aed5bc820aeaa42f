/** A picture of somebody's, and saving it by the site's own button. */
import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from '@playwright/test';
import { expect, type Framed } from '../../harness/browser/fixtures';
import type { Platform } from '../../platform';
import { httpVisitor, makePicture, type MadePicture } from '../../harness/browser/visitor-http';

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

/** A picture that still loads would meet what is meant for the download, or be counted with it. */
export async function pictureShown({ site }: Framed): Promise<void> {
  const picture = site.getByRole('listitem').getByRole('img').first();
  const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
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
