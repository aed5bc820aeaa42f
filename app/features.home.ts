/** What each feature adds to the home page. */
export { default as platform } from './shell/platform/home-part';
export { default as accounts } from './accounts/home-part';
