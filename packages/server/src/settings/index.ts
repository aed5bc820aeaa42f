/** Settings: the server's, the building blocks of a site's own, and what is written about them. */
export { envExample, settingsReport, settingsPage } from './documents.ts';
export { readContentSources, serverSettings, trustedProxies } from './server.ts';
export {
  readSettings,
  SettingError,
  type EnvOf,
  type Setting,
  type SettingGroups,
  type Settings,
} from './setting.ts';
export { internalUrl, oneOf, origin, wholeNumber } from './values.ts';
