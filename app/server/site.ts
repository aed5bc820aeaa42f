/** What the server must know of this site, in production and in development. */
import type { Site } from 'site-server';
import { log } from 'site-server/log';
import { hasAskedAccount } from '~/accounts/account.server';
import { siteEnv } from '~/env.server';
import { isApiPath } from '~/frame/api-path';
import { migrations } from '~/migrations.server';
import { hasAskedPlatform } from '~/platform/platform.server';
import { onUpstreamFailure } from '~/platform/upstream/failures.server';
import { UpstreamFailure } from '~/platform/upstream/upstream.server';
import { relayPlatformUser } from '~/platform/user-relay.server';
import { site as config } from '~/site.config';
import { closeStore, openStore } from '~/store/store.server';

export const site: Site = {
  settings() {
    const env = siteEnv();
    const { host } = env.offlineDemo ? { host: '' } : new URL(env.platformInternalUrl);
    return {
      ...env,
      contentSources: config.contentSources,
      hiddenInLog: host ? { [host]: '<PLATFORM_INTERNAL_URL>' } : {},
    };
  },
  isResource: isApiPath,
  hasAskedIdentity: (context) => hasAskedPlatform(context) || hasAskedAccount(context),
  // W03, W04. The route `api.user` relays where Remix runs without this server, and answers other methods.
  relay: { path: '/api/user', answer: relayPlatformUser },
  isLogged: (error) => error instanceof UpstreamFailure,
  async onStart() {
    onUpstreamFailure(({ path, reason, cause, requestId }) => {
      // The message of a socket's error names the internal address; its code says as much.
      const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
      log.warn(
        { requestId, path: path.replace(/\?.*/, ''), reason, code: code ?? message },
        'no answer from the platform',
      );
    });
    // A site without tables has no store.
    if (Object.keys(migrations).length === 0) return;
    await openStore({
      url: siteEnv().databaseUrl,
      migrations,
      onProblem: (error) => {
        log.warn({ err: error }, 'the store has a problem');
      },
    });
  },
  onStop: closeStore,
};
