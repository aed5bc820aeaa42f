/** Stops before the first test, with one sentence, when there is no browser to be had. */
import { findBrowser } from './browser';

export default async function setUp(): Promise<void> {
  await findBrowser();
}
