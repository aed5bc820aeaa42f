/** A visitor's pictures, and saving one with the site's own button. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from '@playwright/test';
import { expect, type Framed } from '../../fixtures';
import { toSafeProfile } from '@gatehouse/platform';
import { httpVisitor, jsonRequest, type HttpVisitor } from '@gatehouse/simulator/http';
import type { Platform } from '../../platform';

/** A picture of the visitor's, as the site returns it. */
export interface MadePicture {
  id: string;
  /** The address of its bytes. */
  path: string;
}

/**
 * Orders a picture, and expects it to be accepted. It is finished immediately if the platform's
 * duration is 0.
 */
export async function makePicture(
  visitor: HttpVisitor,
  prompt = 'A red kite',
): Promise<MadePicture> {
  const { body = '', headers } = jsonRequest({ prompts: [prompt] });
  const account = toSafeProfile((await visitor.get('/api/user')).json()).key;
  const made = await visitor.post(`/api/generations?account=${account}`, {
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

/**
 * Waits for the picture to load, so that its request is not affected by faults meant for the
 * download, or counted with it.
 */
export async function pictureShown({ site }: Framed): Promise<void> {
  const picture = site.getByRole('listitem').getByRole('img').first();
  // Off-screen parts of a long feed are neither laid out nor loaded.
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
