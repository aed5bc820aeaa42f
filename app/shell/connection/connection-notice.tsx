/** Says that the connection is lost, or that something other than the site answers. Moves no focus. */
import { useSyncExternalStore } from 'react';
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';
import {
  connected,
  connectionState,
  dismissSubmission,
  subscribe,
  type ConnectionState,
  type Outage,
} from './connection';

/** What keeps the page from reaching the site, if anything does. */
export function useConnection(): ConnectionState {
  return useSyncExternalStore(subscribe, connectionState, () => connected);
}

/** The last element of the page: it sticks to the lower edge, so that nothing above it moves. */
export function ConnectionNotice() {
  const { loading, submission } = useConnection();
  return (
    // Always there: screen readers ignore a live region that appears together with its text.
    <div
      role="status"
      className="sticky bottom-0 z-40 mx-auto grid w-full max-w-5xl gap-3 px-4 pb-4 empty:hidden sm:px-6"
    >
      {loading && (
        <Card className="max-w-xl p-4 text-sm">
          <p>{reasonOf(loading)} Everything on this page is kept. It reconnects by itself.</p>
        </Card>
      )}
      {submission && (
        <Card tone="danger" className="flex max-w-xl flex-wrap items-center gap-3 p-4 text-sm">
          <p className="min-w-0 grow basis-60">
            {reasonOf(submission)} {fateOf(submission)}
          </p>
          <Button tone="secondary" size="small" onClick={dismissSubmission}>
            Dismiss
          </Button>
        </Card>
      )}
    </div>
  );
}

/** What a page says, too, that cannot tell who its visitor is. */
export const platformLost =
  'The platform does not answer right now. Wait a moment, then try again.';
const unavailable = 'This is not available right now. Wait a moment, then try again.';

/** What a status means when the site itself answers… */
const siteReasons: Record<number, string> = {
  413: 'That was too large for this site (413).',
  429: 'That was a lot at once. Wait a moment, then try again.',
  500: 'Something broke on our side (500). We have made a note of it.',
  502: platformLost,
  503: unavailable,
  504: platformLost,
};

/** …and when an edge in front of it does. */
const edgeReasons: Record<number, string> = {
  0: 'The connection is lost.',
  403: 'The platform does not let this through (403).',
  413: 'That was too large for the platform (413).',
  429: 'The platform asks to wait (429).',
  502: 'The site does not answer (502).',
  503: 'The site does not answer (503).',
  504: 'The site does not answer (504).',
};

function reasonOf({ status, fromSite }: Outage): string {
  return fromSite
    ? (siteReasons[status] ?? `The site does not take this (${status}).`)
    : (edgeReasons[status] ?? `Something other than this site answers (${status}).`);
}

/** A 4xx means that nothing was done. After anything else the submission may have arrived. */
function fateOf({ status }: Outage): string {
  return status >= 400 && status < 500
    ? 'What you sent was not taken. It is still here, to be sent again.'
    : 'What you sent may not have arrived. It is still here: look whether it did, then send it again.';
}
