/** Starts the control site (`negative-control/site.mjs`) behind a platform. */
import type { Platform } from '../platform';
import { startSite, type Site } from '../programs/site-process';

/** What the control site can do wrong; its file says what each one means. */
export type Sin =
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

/** Starts the control site with these sins, none by default, and names it as the upstream. */
export async function startControlSite(platform: Behind, sins: Sin[] = []): Promise<Site> {
  const site = await startSite({
    internalUrl: platform.internalUrl,
    siteOrigin: platform.siteOrigin,
    frameAncestors: platform.platformUrl,
    entry: 'e2e/harness/negative-control/site.mjs',
    env: { SINS: sins.join(',') },
  });
  platform.setSiteUpstream(site.url);
  return site;
}
