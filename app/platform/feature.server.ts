/** What the platform adds to the server: the relay, who is signed in, and the log of its failures. */
import type { PlatformPart } from '@gatehouse/platform';
import {
  demoVisitorOf,
  onUpstreamFailure,
  PlatformSdkError,
  refusal,
  UpstreamFailure,
} from '@gatehouse/platform/server';
import type { SiteFeature } from '@gatehouse/server';
import { log } from '@gatehouse/server/log';
import { siteEnv } from '~/env.server';
import { hasCheckedPlatform, loadUserState, relayPlatformUser } from '~/platform.server';

export default {
  order: 1,
  hasCheckedIdentity: hasCheckedPlatform,
  // W03, W04. The route `api.user` is the relay where Remix runs without this server, and answers other methods.
  relay: { path: '/api/user', respond: relayPlatformUser },
  /**
   * W33. A refused operation is the response of its route: the error page of its status, or its code
   * under `/api`. A failure of the platform is in the log already, and a refusal is no failure.
   */
  responseFor(error, { kind }) {
    if (!(error instanceof PlatformSdkError)) return undefined;
    const { status, code, headers } = error;
    return kind === 'resource' ? refusal(status, code, headers) : new Response(null, { status });
  },
  isLogged: (error) => error instanceof UpstreamFailure,
  hiddenInLog() {
    const { platformInternalUrl } = siteEnv();
    return URL.canParse(platformInternalUrl)
      ? { [new URL(platformInternalUrl).host]: '<PLATFORM_INTERNAL_URL>' }
      : {};
  },
  async load({ context }, isLeaving): Promise<PlatformPart> {
    if (await isLeaving()) return { user: { status: 'unavailable' }, offlineDemo: false };
    const user = await loadUserState(context);
    return { user, offlineDemo: siteEnv().offlineDemo };
  },
  /** W31: identifies a new visitor of the offline demo. */
  async setCookie({ context }) {
    if (!siteEnv().offlineDemo) return null;
    return (await demoVisitorOf(context))?.setCookie ?? null;
  },
  onStart() {
    onUpstreamFailure(({ path, reason, cause, requestId }) => {
      // A socket error's message contains the internal address; its code is enough.
      const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
      log.warn(
        { requestId, path: path.replace(/\?.*/, ''), reason, code: code ?? message },
        'no answer from the platform',
      );
    });
  },
} satisfies SiteFeature<PlatformPart>;
