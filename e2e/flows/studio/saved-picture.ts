/** Pictures of somebody's, and saving one by the site's own button. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from '@playwright/test';
import { expect, type Framed } from '../../fixtures';
import { httpVisitor, jsonAsk, type HttpVisitor } from '../../harness/browser/visitor-http';
import type { Platform } from '../../platform';

/** A picture of the visitor's, as the site has it. */
export interface MadePicture {
  id: string;
  /** Where its bytes are. */
  path: string;
}

/** Asks for a picture and expects to get it. It is finished when the platform takes no time over it. */
export async function makePicture(
  visitor: HttpVisitor,
  prompt = 'A red kite',
): Promise<MadePicture> {
  const { body = '', headers } = jsonAsk({ prompts: [prompt] });
  const made = await visitor.post('/api/generations', {
    body,
    headers: { ...headers, 'idempotency-key': randomUUID() },
  });
  if (made.status !== 201) throw new Error(`No picture: ${made.status} ${made.text}`);
  const [{ id = '' } = {}] = (made.json() as { items: { id?: string }[] }).items;
  return { id, path: `/api/generations/${id}/output.png` };
}

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
  // A long feed is laid out, and its pictures are loaded, as far as it is in view.
  await picture.scrollIntoViewIfNeeded();
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
