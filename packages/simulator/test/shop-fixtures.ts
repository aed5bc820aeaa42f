/**
 * The fixtures of a flow with the print shop's platform and a minimal site in the frame: nothing has to be
 * built.
 */
import { fileURLToPath } from 'node:url';
import { fixturesFor } from '../src/browser/fixtures.ts';
import { printShop } from './print-shop.ts';

export * from '../src/browser/fixtures.ts';

export const test = fixturesFor(
  { platform: printShop, settings: { GREETING: 'Hello' } },
  { entry: fileURLToPath(new URL('shop-site.mjs', import.meta.url)) },
);
