/**
 * Global setup: stops before the first test, with one sentence, when no browser can be found or installed.
 */
import { findBrowser } from './browser.ts';

export default async function setUp(): Promise<void> {
  await findBrowser();
}
