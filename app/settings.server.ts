/** The site's settings: the server's own, those of each feature, and those of `site-settings.server.ts`. */
export { serverSettings as server } from '@gatehouse/server/settings';
export { default as platform } from './platform/settings.server';
export { default as accounts } from './accounts/settings.server';
export { default as site } from './site-settings.server';
