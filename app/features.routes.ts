/** The routes of each feature. */
export { default as platform } from './platform/routes';
export { default as studio } from './studio/routes';
export { default as accounts } from './accounts/routes';
export { default as notes } from './notes/routes';
