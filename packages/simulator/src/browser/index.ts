/** A visitor's browser, in each way in which browsers treat cookies and storage in a frame. */
export { complaintsIn, complaintsInLightAndDark } from './axe.ts';
export { findBrowser } from './browser.ts';
export { recordBrowserLog, type BrowserLog } from './browser-log.ts';
export {
  openBrowser,
  openMeasured,
  type BrowserMode,
  type MeasuredBrowser,
} from './browser-modes.ts';
