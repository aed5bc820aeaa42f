/** What each feature adds to the site under test. */
export { default as platform } from './flows/platform/feature';
export { default as accounts } from './flows/accounts/feature';
export { default as studio } from './flows/studio/feature';
