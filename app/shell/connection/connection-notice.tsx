/** Says that the connection is lost, or that something else than the site answers. Moves no focus. */
import { useSyncExternalStore } from 'react';
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';
import {
  calm,
  connectionState,
  dismissSending,
  subscribe,
  type ConnectionState,
  type Outage,
} from './connection';
import { platformMessages } from '~/shell/errors/platform-messages';

/** What keeps the page from the site at the moment. */
export function useConnection(): ConnectionState {
  return useSyncExternalStore(subscribe, connectionState, () => calm);
}

/** The last thing in the page: it sticks to the lower edge, and what is above it stays where it is. */
export function ConnectionNotice() {
  const { asking, sending } = useConnection();
  return (
    // There before it says anything: a live region that comes with its words is not read out.
    <div
      role="status"
      className="sticky bottom-0 z-40 mx-auto grid w-full max-w-5xl gap-3 px-4 pb-4 empty:hidden sm:px-6"
    >
      {asking && (
        <Card className="max-w-xl p-4 text-sm">
          <p>{reasonOf(asking)} Everything on this page is kept. It reconnects by itself.</p>
        </Card>
      )}
      {sending && (
        <Card tone="danger" className="flex max-w-xl flex-wrap items-center gap-3 p-4 text-sm">
          <p className="min-w-0 grow basis-60">
            {reasonOf(sending)} {fateOf(sending)}
          </p>
          <Button tone="secondary" size="small" onClick={dismissSending}>
            Dismiss
          </Button>
        </Card>
      )}
    </div>
  );
}

/** What the site's own statuses say, and what those of an edge in front of it do. */
const sites: Record<number, string> = {
  413: 'That was too large for this site (413).',
  429: platformMessages.rate_limited,
  500: 'Something broke on our side (500). We have made a note of it.',
  502: platformMessages.upstream_unavailable,
  503: platformMessages.upstream_unavailable,
  504: platformMessages.upstream_unavailable,
};

const edges: Record<number, string> = {
  0: 'The connection is lost.',
  403: 'The platform does not let this through (403).',
  413: 'That was too large for the platform (413).',
  429: 'The platform asks to wait (429).',
  502: 'The site does not answer (502).',
  503: 'The site does not answer (503).',
  504: 'The site does not answer (504).',
};

function reasonOf({ status, isSites }: Outage): string {
  return isSites
    ? (sites[status] ?? `The site does not take this (${status}).`)
    : (edges[status] ?? `Something else than this site answers (${status}).`);
}

/** With a 4xx nothing was done. After anything else, nobody here knows. */
function fateOf({ status }: Outage): string {
  return status >= 400 && status < 500
    ? 'What you sent was not taken. It is still here, to be sent again.'
    : 'What you sent may not have arrived. It is still here: look whether it did, then send it again.';
}
