/** What each feature adds to every page. */
export { default as platform } from './shell/platform/feature';
export { default as accounts } from './accounts/feature';
export { default as studio } from './studio/feature';
export { default as notes } from './notes/feature';
