/** The server's settings: read once, validated and frozen. */
import { readSettings, type EnvOf } from '@gatehouse/server/settings';
import * as groups from './settings.server';

export type SiteEnv = EnvOf<typeof groups>;

/**
 * @throws {SettingError} naming the first setting that is missing or malformed.
 */
export function parseSiteEnv(source: Readonly<Record<string, string | undefined>>): SiteEnv {
  return readSettings(groups, source);
}

let current: SiteEnv | undefined;

/**
 * This process's settings. Parsed on the first call, which the server makes before it listens.
 *
 * @throws {SettingError} on the first call only.
 */
export function siteEnv(): SiteEnv {
  if (!current) {
    current = parseSiteEnv(process.env);
    // Libraries read it too, and would otherwise run in development mode.
    process.env['NODE_ENV'] = current.mode;
  }
  return current;
}
