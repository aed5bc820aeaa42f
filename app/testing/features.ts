/** What the tests of a whole site start of each feature. */
export { startBeside as platform } from './platform/platform-with-ada';
export { startStore as accounts } from './accounts/empty-store';
