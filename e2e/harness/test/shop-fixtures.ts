/**
 * The fixtures of a flow with the print shop's platform and a minimal site in the frame: nothing has to be
 * built.
 */
import { fixturesFor } from '../browser/fixtures';
import { printShop } from './print-shop';

export * from '../browser/fixtures';

export const test = fixturesFor(
  { platform: printShop },
  { entry: 'e2e/harness/test/shop-site.mjs' },
);
