/** What site accounts add to the server: their store, and who is signed in. */
import { hasCheckedAccount, type AccountState } from '@gatehouse/accounts';
import type { SiteFeature } from '@gatehouse/server';
import { log } from '@gatehouse/server/log';
import { storeUnavailableResponse, unavailableIn } from '@gatehouse/store';
import * as accounts from '~/accounts.server';
import { closeStore, openStore } from '~/store.server';

export default {
  order: 2,
  hasCheckedIdentity: hasCheckedAccount,
  load: accounts.loadAccountState,
  isLeaving: accounts.isSentToSignIn,
  /** If the store is unavailable, every route responds with 503: a page, or JSON under `/api`. */
  responseFor(error, { kind, requestId }) {
    const unavailable = unavailableIn(error);
    if (!unavailable) return undefined;
    log.warn({ requestId, reason: unavailable.reason }, 'store unavailable');
    return kind === 'resource' ? storeUnavailableResponse() : new Response(null, { status: 503 });
  },
  /** Mails of the last process may wait in the store. */
  onStart: () => openStore().then(accounts.startBackgroundWork),
  /** Sign-ups and mails continue after their response, and need the store. */
  onStop: () => accounts.finishBackgroundWork().then(closeStore),
} satisfies SiteFeature<AccountState>;
