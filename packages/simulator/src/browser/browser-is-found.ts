/**
 * Global setup: stops before the first test, with one sentence, when no browser can be found or installed. Times it, so that
 * the limits of `config.ts` fit the machine.
 */
import { setSlowness } from '../programs/env.ts';
import { findBrowser } from './browser.ts';
import { openMeasured } from './browser-modes.ts';
import { usualMode } from './config.ts';

export default async function setUp(): Promise<void> {
  const { executablePath } = await findBrowser();
  const browser = await openMeasured(usualMode.use.mode, executablePath);
  await browser.close();
  setSlowness(browser.onThisMachine(1_000) / 1_000);
}
