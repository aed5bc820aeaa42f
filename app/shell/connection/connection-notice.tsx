/**
 * Announces that the connection is lost, or that something other than the site is responding. Does
 * not move focus.
 */
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';
import { dismissSubmission, type Outage } from '@gatehouse/frame/browser';
import { useConnection } from '@gatehouse/frame/react';
import { useFeatures } from '../features';

/** The last element of the page, sticky at the bottom so that nothing above it shifts. */
export function ConnectionNotice() {
  const { loading, submission } = useConnection();
  const reasonOf = useReasons();
  return (
    // Always rendered: screen readers ignore a live region that is inserted together with its text.
    <div
      role="status"
      className="sticky bottom-0 z-40 mx-auto grid w-full max-w-5xl gap-3 px-4 pb-4 empty:hidden sm:px-6"
    >
      {loading && (
        <Card className="max-w-xl p-4 text-sm">
          <p>{reasonOf(loading)} Nothing on this page is lost. Reconnecting…</p>
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

const unavailable = 'This is temporarily unavailable. Wait a moment and try again.';

/** Messages for a status sent by the site itself. */
const siteReasons: Record<number, string> = {
  413: 'That is too large for this site (413).',
  429: 'Too many requests. Wait a moment and try again.',
  500: 'Something went wrong on our side (500). The error has been logged.',
  503: unavailable,
};

/** Messages for a status sent by something in front of the site. */
const edgeReasons: Record<number, (front: string) => string> = {
  0: () => 'The connection was lost.',
  403: (front) => `The ${front} blocked this request (403).`,
  413: (front) => `That is too large for the ${front} (413).`,
  429: (front) => `The ${front} is receiving too many requests (429).`,
  502: () => 'The site is not responding (502).',
  503: () => 'The site is not responding (503).',
  504: () => 'The site is not responding (504).',
};

function useReasons(): (outage: Outage) => string {
  const features = useFeatures().map(({ feature }) => feature);
  const front = features.find((feature) => feature.front)?.front ?? 'server in front of this site';
  return ({ status, fromSite }) => {
    if (!fromSite) {
      const reason = edgeReasons[status]?.(front);
      return reason ?? `Something other than this site responded (${status}).`;
    }
    const own = features.map(({ outages }) => outages?.[status]).find(Boolean);
    const general = status > 500 ? unavailable : `The site rejected this request (${status}).`;
    return own ?? siteReasons[status] ?? general;
  };
}

/**
 * A 4xx means that nothing was done. After any other outage, the submission may have been
 * processed.
 */
function fateOf({ status }: Outage): string {
  return status >= 400 && status < 500
    ? 'Nothing was submitted. Your input is still here, so you can try again.'
    : 'Your submission may not have arrived. Your input is still here: check whether it went through, then submit it again.';
}
