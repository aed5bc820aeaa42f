/** The visitor's generations, kept in view through a platform that fails for a while. */
import { Link } from '@remix-run/react';
import { lazy, Suspense, useRef, useState } from 'react';
import {
  isPending,
  type Generation,
  type GenerationPage,
} from '~/platform/sdk/generations/generations';
import type { PlatformErrorCode } from '~/platform/error-codes';
import { Button } from '~/ui/button';
import { platformMessages } from '~/shell/platform/platform-messages';
import { useReload } from '~/shell/reload';
import { usePolling } from '~/shell/use-polling';
import { useLiveFeed } from '../live/use-live-feed';
import { feedAddress, type FeedView } from './feed-filter';
import { FeedFilters } from './feed-filters';
import { GenerationCard, SendingCard } from './generation-card';
import { SelectionBar } from './selection-bar';
import { useFeed } from './use-feed';
import { useGenerationActions } from './use-generation-actions';

/** Most who look at the feed open no picture. */
const Lightbox = lazy(() => import('./lightbox'));

export interface FeedProps {
  /** Null when it could not be read. */
  feed: GenerationPage | null;
  error: PlatformErrorCode | null;
  view: FeedView;
  /** False until the browser has confirmed whose feed this is. */
  usable: boolean;
  /** Whose it is. */
  account: string;
  /** Empty for the one that the platform has as chosen. */
  workspace: string;
  /** The prompts of an order that is being sent. */
  sending: readonly string[];
  onReuse: (generation: Generation) => void;
}

/** Give it a `key` of the person, the workspace and the view: what it remembers is theirs alone. */
export function Feed(props: FeedProps) {
  const { feed, error, view, usable, account, workspace, sending, onReuse } = props;
  const [last, setLast] = useState(feed);
  if (feed && feed !== last) setLast(feed);
  const shown = feed ?? last;
  const own = useFeed(shown?.items ?? none);
  const { items } = own;
  const { cancel, remove } = useGenerationActions(own);

  const pending = items.some(isPending);
  const [waited, setWaited] = useState(pending);
  if (pending && !waited) setWaited(true);
  // A page that is not there comes no sooner for being asked for again.
  const absent = error === 'invalid_cursor';
  const reload = useReload();
  const awaited = useRef(new Set<string>());
  const isLive = useLiveFeed({
    isWanted: usable && pending && !error,
    account,
    workspace,
    onChange: (generation) => {
      own.update(generation);
      const isShown = items.some(({ id }) => id === generation.id);
      // What is finished has changed the balance; what is not shown was ordered elsewhere.
      if (isPending(generation) && (isShown || awaited.current.has(generation.id))) return;
      awaited.current.add(generation.id);
      reload();
    },
  });
  const pause = error ? (absent ? null : 2_000) : pending && !isLive ? 1_000 : null;
  const lookAgain = usePolling(usable ? pause : null);

  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const select = (id: string, isSelected: boolean) => {
    const next = new Set(selected);
    if (isSelected) next.add(id);
    else next.delete(id);
    setSelected(next);
  };
  const [viewed, setViewed] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const lastViewed = useRef('');
  const show = (id: string) => {
    lastViewed.current = id;
    setViewed(id);
  };
  const isFiltered = Boolean(view.kind ?? view.status);
  const isNewest = !view.cursor;

  return (
    <section aria-labelledby="feed-title" className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="feed-title" className="font-display text-2xl">
          Your pictures and clips
        </h2>
        {!isNewest && !absent && <Newest view={view} />}
        <noscript>
          <Button asChild tone="secondary" size="small">
            <a href={feedAddress(view)}>Look again</a>
          </Button>
        </noscript>
      </div>
      <FeedFilters view={view} />
      <noscript>
        <p className="text-muted text-sm">
          To enlarge, download, cancel or delete something, turn JavaScript on.
        </p>
      </noscript>
      <p role="status" className="sr-only">
        {waited && !pending && 'Everything is finished.'}
      </p>
      {error && (
        <div role="status" className="flex flex-wrap items-center gap-4">
          <p className="text-danger">{platformMessages[error]}</p>
          {absent ? (
            <Newest view={view} />
          ) : (
            <Button tone="secondary" size="small" disabled={!usable} onClick={lookAgain}>
              Try again
            </Button>
          )}
        </div>
      )}
      {shown && items.length + sending.length === 0 && (
        <p className="text-muted">
          {isFiltered ? (
            <>
              Nothing of that kind.{' '}
              <Link to="/studio" className="text-ink underline">
                Show everything
              </Link>
            </>
          ) : (
            'Nothing yet. What you generate will be here.'
          )}
        </p>
      )}
      <ul ref={list} className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {isNewest &&
          sending.map((prompt, index) => (
            <li key={`sending ${index}`} className="grid min-w-0">
              <SendingCard prompt={prompt} />
            </li>
          ))}
        {items.map((generation) => (
          <li key={generation.id} className="grid min-w-0">
            <GenerationCard
              generation={generation}
              usable={usable}
              account={account}
              workspace={workspace}
              isSelected={selected.has(generation.id)}
              onSelect={(isSelected) => {
                select(generation.id, isSelected);
              }}
              onView={() => {
                show(generation.id);
              }}
              onCancel={() => void cancel(generation)}
              onReuse={() => {
                onReuse(generation);
              }}
              onRemove={() => {
                select(generation.id, false);
                void remove(generation);
              }}
            />
          </li>
        ))}
      </ul>
      {shown?.nextCursor && (
        <Button asChild tone="secondary" className="justify-self-center">
          <Link to={feedAddress({ ...view, cursor: shown.nextCursor })}>Older</Link>
        </Button>
      )}
      <SelectionBar
        selected={items.filter(({ id }) => selected.has(id))}
        usable={usable}
        onClear={() => {
          setSelected(new Set());
        }}
      />
      {viewed !== null && (
        <Suspense>
          <Lightbox
            pictures={items.filter(({ kind, output }) => kind === 'picture' && output)}
            shown={viewed}
            show={show}
            usable={usable}
            onClose={() => {
              setViewed(null);
            }}
            returnFocus={() =>
              list.current?.querySelector(`[data-view="${CSS.escape(lastViewed.current)}"]`) ?? null
            }
          />
        </Suspense>
      )}
    </section>
  );
}

const none: readonly Generation[] = [];

function Newest({ view: { kind, status } }: { view: FeedView }) {
  return (
    <Button asChild tone="secondary" size="small">
      <Link to={feedAddress({ kind, status })}>Newest</Link>
    </Button>
  );
}
