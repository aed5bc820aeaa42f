/** Orders and files in the offline demo: import it first, for a whole test file. */
import { randomUUID } from 'node:crypto';
import { PNG } from 'pngjs';
import { beforeEach } from 'vitest';
import type { PlatformSdk } from '~/platform.server';
import { newBrowser, openSdk, pass } from '../platform/offline-demo';
import { orderOf, type Generation, type Order } from '~/platform/generations/generations';

export { newBrowser, openSdk, pass };

const browsers = new Map<string, ReturnType<typeof newBrowser>>();

beforeEach(() => {
  browsers.clear();
});

/** The SDK of a person, who has a browser of their own in each test. */
export async function open(person: string, workspace?: string): Promise<PlatformSdk> {
  const browser = browsers.get(person) ?? newBrowser();
  browsers.set(person, browser);
  return openSdk(await browser, workspace);
}

export const order = (prompts: string[], more: Partial<Order> = {}): Order => ({
  ...orderOf(...prompts),
  ...more,
});
export const newKey = () => ({ idempotencyKey: randomUUID() });

export async function start(sdk: PlatformSdk, prompt: string, more: Partial<Order> = {}) {
  const [made] = await sdk.generations.submit(order([prompt], more), newKey());
  if (!made) throw new Error('nothing was made');
  return made;
}

export const picture = PNG.sync.write(new PNG({ width: 2, height: 2 }));
export const streamOf = (...parts: Uint8Array[]) => new Blob(parts as BlobPart[]).stream();

export const ids = (items: readonly Generation[]) => items.map(({ id }) => id);
export const balanceOf = async (sdk: PlatformSdk) => (await sdk.credits.history()).balance;
