/** Starts the control site (`negative-control/site.mjs`) behind a platform. */
import { fileURLToPath } from 'node:url';
import type { Platform } from '../../src/platform.ts';
import { startSite, type Site } from '../../src/programs/site-process.ts';

/** The program, for `startSite`. */
export const controlSite = fileURLToPath(new URL('site.mjs', import.meta.url));

/** The violations that the control site can commit; its file describes each one. */
export type Defect =
  | 'module_user'
  | 'url_dedupe'
  | 'forgotten_guard'
  | 'hasty_guard'
  | 'token'
  | 'cookie'
  | 'wrong_endpoint'
  | 'late_call'
  | 'stolen_ticket'
  | 'no_retry';

type Behind = Pick<
  Platform<unknown>,
  'internalUrl' | 'siteOrigin' | 'platformUrl' | 'setSiteUpstream'
>;

/** Starts the control site with these violations, none by default, and makes it the upstream. */
export async function startControlSite(platform: Behind, defects: Defect[] = []): Promise<Site> {
  const site = await startSite({
    internalUrl: platform.internalUrl,
    siteOrigin: platform.siteOrigin,
    frameAncestors: platform.platformUrl,
    entry: controlSite,
    env: { DEFECTS: defects.join(',') },
  });
  platform.setSiteUpstream(site.url);
  return site;
}
