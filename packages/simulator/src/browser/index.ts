/** A visitor's browser, in each way in which browsers treat cookies and storage in a frame. */
export { complaintsIn, complaintsInLightAndDark } from './axe.ts';
export { findBrowser } from './browser.ts';
export { recordBrowserLog, type BrowserLog } from './browser-log.ts';
export {
  measureMode,
  openBrowser,
  type BrowserMode,
  type VisitorsBrowser,
} from './browser-modes.ts';
export { usualMeasurement } from './patience.ts';
