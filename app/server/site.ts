/** What the server needs to know about this site, in production and development. */
import type { Site } from '@gatehouse/server';
import { log } from '@gatehouse/server/log';
import { remix } from '@gatehouse/server/remix';
import { readContentSources, settingsReport } from '@gatehouse/server/settings';
import { hasAskedAccount } from '@gatehouse/accounts'; // auth: accounts
import { finishBackgroundWork } from '~/accounts.server'; // auth: accounts
import { siteEnv } from '~/env.server';
import * as groups from '~/settings.server';
import { isApiPath } from '@gatehouse/frame';
import { migrations } from '~/migrations.server'; // auth: accounts
// auth: platform
import { hasAskedPlatform, relayPlatformUser } from '~/platform.server';
import { onUpstreamFailure, UpstreamFailure } from '@gatehouse/platform/server';
// /auth
import {
  hasPlatform, // auth: platform
  site as config,
} from '~/site.config';
import { closeStore, openStore } from '~/store.server'; // auth: accounts
import { storeUnavailableResponse, unavailableIn } from '@gatehouse/store'; // auth: accounts

export const site: Site = {
  framework: remix,
  settings() {
    const env = siteEnv();
    return {
      ...env,
      contentSources: readContentSources(config.contentSources, 'app/site.config.ts'),
      hiddenInLog: hiddenInLog(), // auth: platform
    };
  },
  settingsReport: () => settingsReport(groups, siteEnv()),
  isResource: isApiPath,
  hasAskedIdentity: (context) =>
    [
      hasAskedPlatform, // auth: platform
      hasAskedAccount, // auth: accounts
    ].some((hasAsked) => hasAsked(context)),
  answerFor: answerForStore, // auth: accounts
  // auth: platform
  // W03, W04. The route `api.user` is the relay where Remix runs without this server, and answers
  // other methods.
  ...(hasPlatform && { relay: { path: '/api/user', answer: relayPlatformUser } }),
  isLogged: (error) => error instanceof UpstreamFailure,
  // /auth
  onStart() {
    tellUpstreamFailures(); // auth: platform
    return openSiteStore(); // auth: accounts
  },
  onStop: closeSiteStore, // auth: accounts
};

// auth: platform
function hiddenInLog(): Record<string, string> {
  const { platformInternalUrl } = siteEnv();
  return URL.canParse(platformInternalUrl)
    ? { [new URL(platformInternalUrl).host]: '<PLATFORM_INTERNAL_URL>' }
    : {};
}

function tellUpstreamFailures(): void {
  onUpstreamFailure(({ path, reason, cause, requestId }) => {
    // A socket error's message contains the internal address; its code is enough.
    const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
    log.warn(
      { requestId, path: path.replace(/\?.*/, ''), reason, code: code ?? message },
      'no answer from the platform',
    );
  });
}
// /auth

// auth: accounts
/** If the store is unavailable, every route answers 503: a page, or JSON under `/api`. */
function answerForStore(
  ...[error, { kind, requestId }]: Parameters<NonNullable<Site['answerFor']>>
): Response | undefined {
  const unavailable = unavailableIn(error);
  if (!unavailable) return undefined;
  log.warn({ requestId, reason: unavailable.reason }, 'store unavailable');
  return kind === 'resource' ? storeUnavailableResponse() : new Response(null, { status: 503 });
}

/** Sign-ups and mails continue after their response, and need the store. */
async function closeSiteStore(): Promise<void> {
  await finishBackgroundWork();
  await closeStore();
}

async function openSiteStore(): Promise<void> {
  // A site without tables has no store.
  if (Object.keys(migrations).length === 0) return;
  await openStore();
}
// /auth
