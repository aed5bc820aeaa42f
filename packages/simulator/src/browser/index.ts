/** A visitor's browser, in each way in which browsers treat cookies and storage in a frame. */
export { complaintsIn, complaintsInLightAndDark } from './axe';
export { findBrowser } from './browser';
export { recordBrowserLog, type BrowserLog } from './browser-log';
export { measureMode, openBrowser, type BrowserMode, type VisitorsBrowser } from './browser-modes';
export { usualMeasurement } from './patience';
