/** The visitor's pictures, kept in view through a platform that fails for a while. */
import { Link } from '@remix-run/react';
import { useState } from 'react';
import { isPending, type GenerationPage } from '~/platform/sdk/sdk';
import type { PlatformErrorCode } from '~/platform/error-codes';
import { Button } from '~/ui/button';
import { GenerationCard } from './generation-card';
import { platformMessages } from '~/shell/platform/platform-messages';
import { usePolling } from '~/shell/use-polling';

export interface FeedProps {
  /** Null when it could not be read. */
  feed: GenerationPage | null;
  error: PlatformErrorCode | null;
  /** Whether this is a page of older pictures, and not the first. */
  older: boolean;
  /** False until the browser has confirmed whose feed this is. */
  usable: boolean;
}

/** Give it a `key` of the person and the page of the feed: what it remembers is theirs alone. */
export function Feed({ feed, error, older, usable }: FeedProps) {
  const [last, setLast] = useState(feed);
  if (feed && feed !== last) setLast(feed);
  const shown = feed ?? last;

  const pending = shown?.items.some(isPending) ?? false;
  const [waited, setWaited] = useState(pending);
  if (pending && !waited) setWaited(true);
  // A page that is not there comes no sooner for being asked for again.
  const absent = error === 'invalid_cursor';
  const pause = error ? (absent ? null : 5_000) : pending ? 1_000 : null;
  const lookAgain = usePolling(usable ? pause : null);

  return (
    <section aria-labelledby="feed-title" className="grid gap-5">
      <div className="flex items-center justify-between gap-4">
        <h2 id="feed-title" className="font-display text-2xl">
          Your pictures
        </h2>
        {older && !absent && <NewestPictures />}
        <noscript>
          <Button asChild tone="secondary" size="small">
            <a href="/studio">Look again</a>
          </Button>
        </noscript>
      </div>
      <noscript>
        <p className="text-muted text-sm">To enlarge or download a picture, turn JavaScript on.</p>
      </noscript>
      <p role="status" className="sr-only">
        {waited && !pending && 'All pictures are finished.'}
      </p>
      {error && (
        <div role="status" className="flex flex-wrap items-center gap-4">
          <p className="text-danger">{platformMessages[error]}</p>
          {absent ? (
            <NewestPictures />
          ) : (
            <Button tone="secondary" size="small" disabled={!usable} onClick={lookAgain}>
              Try again
            </Button>
          )}
        </div>
      )}
      {shown?.items.length === 0 && (
        <p className="text-muted">Nothing yet. Your first picture will be here.</p>
      )}
      <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {shown?.items.map((generation) => (
          <li key={generation.id} className="grid min-w-0">
            <GenerationCard generation={generation} usable={usable} />
          </li>
        ))}
      </ul>
      {shown?.nextCursor && (
        <Button asChild tone="secondary" className="justify-self-center">
          <Link to={`?cursor=${encodeURIComponent(shown.nextCursor)}`}>Older pictures</Link>
        </Button>
      )}
    </section>
  );
}

function NewestPictures() {
  return (
    <Button asChild tone="secondary" size="small">
      <Link to="/studio">Newest pictures</Link>
    </Button>
  );
}
