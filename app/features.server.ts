/** What each feature adds to the server. */
export { default as platform } from './platform/feature.server';
export { default as accounts } from './accounts/feature.server';
