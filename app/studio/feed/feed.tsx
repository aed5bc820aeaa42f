/** The feed of the visitor's generations, which stays visible while the platform is unavailable. */
import { Link } from '@remix-run/react';
import { useRef, useState, type ComponentType } from 'react';
import {
  isPending,
  type Generation,
  type GenerationPage,
} from '~/platform/generations/generations';
import type { PlatformErrorCode } from '@gatehouse/platform';
import { Button, buttonLook } from '~/ui/button';
import { toast } from '~/ui/toast';
import { useLostFocus } from '~/ui/use-lost-focus';
import { platformMessages } from '~/shell/platform/platform-messages';
import { useReload, usePolling } from '@gatehouse/frame/react';
import { useLiveFeed } from '../live/use-live-feed';
import { useVisit } from '../visit';
import { feedAddress, type FeedView } from './feed-filter';
import { FeedFilters } from './feed-filters';
import { GenerationCard, SendingCard, type CardActions } from './generation-card';
import type { LightboxProps } from './lightbox';
import { SelectionBar } from './selection-bar';
import { useFeed } from './use-feed';
import { useGenerationActions } from './use-generation-actions';

export interface FeedProps {
  /** Null if it could not be loaded. */
  feed: GenerationPage | null;
  error: PlatformErrorCode | null;
  view: FeedView;
  /** The prompts of an order that is being submitted. */
  sending: readonly string[];
  onReuse: (generation: Generation) => void;
}

/**
 * Needs a `key` of account, workspace and view, because its state must not be carried over to
 * another.
 */
export function Feed(props: FeedProps) {
  const { feed, error, view, sending, onReuse } = props;
  const { usable, account, workspaceId } = useVisit();
  const [last, setLast] = useState(feed);
  if (feed && feed !== last) setLast(feed);
  const shown = feed ?? last;
  const own = useFeed(shown?.items ?? none);
  const { items } = own;
  const { canceling, cancel, remove } = useGenerationActions(own);

  const pending = items.some(isPending);
  const [waited, setWaited] = useState(pending);
  if (pending && !waited) setWaited(true);
  // Polling would bring back neither a page nor a workspace that does not exist.
  const absent = error === 'invalid_cursor';
  const isFinal = absent || error === 'workspace_gone';
  const reload = useReload();
  const awaited = useRef(new Set<string>());
  const isLive = useLiveFeed({
    isWanted: usable && pending && !error,
    account,
    workspace: workspaceId,
    onChange: (generation) => {
      own.update(generation);
      const isShown = items.some(({ id }) => id === generation.id);
      // A finished generation changes the balance; an unknown one was ordered elsewhere. Both need
      // the loaders.
      if (isPending(generation) && (isShown || awaited.current.has(generation.id))) return;
      awaited.current.add(generation.id);
      reload();
    },
  });
  const pause = error ? (isFinal ? null : 2_000) : pending && !isLive ? 1_000 : null;
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
  // Loaded when it is first opened, which most visitors never do.
  const [Lightbox, setLightbox] = useState<ComponentType<LightboxProps> | null>(null);
  const open = async (id: string) => {
    try {
      const loaded = await import('./lightbox');
      setLightbox(() => loaded.default);
      show(id);
    } catch {
      // The connection, or a deploy that replaced the file.
      toast.error('This could not be opened. Reload the page and try again.');
    }
  };
  const actions: CardActions = {
    select: ({ id }, isSelected) => {
      select(id, isSelected);
    },
    view: ({ id }) => void open(id),
    cancel: (generation) => void cancel(generation),
    reuse: onReuse,
    remove: (generation) => {
      select(generation.id, false);
      void remove(generation);
    },
  };
  const heading = useLostFocus<HTMLHeadingElement>();
  const isFiltered = Boolean(view.kind ?? view.status);
  const isNewest = !view.cursor;

  return (
    <section aria-labelledby="feed-title" className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2
          ref={heading}
          tabIndex={-1}
          id="feed-title"
          className="font-display text-2xl outline-none"
        >
          Your pictures and clips
        </h2>
        {!isNewest && !absent && <Newest view={view} />}
        <noscript>
          <a className={buttonLook({ tone: 'secondary', size: 'small' })} href={feedAddress(view)}>
            Refresh
          </a>
        </noscript>
      </div>
      <FeedFilters view={view} />
      <noscript>
        <p className="text-muted text-sm">
          Enable JavaScript to view, download, cancel or delete items.
        </p>
      </noscript>
      <p role="status" className="sr-only">
        {waited && !pending && 'All generations have finished.'}
      </p>
      {error && (
        <div role="status" className="flex flex-wrap items-center gap-4">
          <p className="text-danger">{platformMessages[error]}</p>
          {absent && <Newest view={view} />}
          {!isFinal && (
            <Button tone="secondary" size="small" disabled={!usable} onClick={lookAgain}>
              Try again
            </Button>
          )}
        </div>
      )}
      {shown && items.length + sending.length === 0 && (
        <p className="text-muted">
          {shown.nextCursor || !isNewest ? (
            'Nothing is left on this page.'
          ) : isFiltered ? (
            <>
              Nothing matches this filter.{' '}
              <Link to="/studio" className="text-ink underline">
                Show everything
              </Link>
            </>
          ) : (
            'Nothing here yet. Your pictures and clips will appear here.'
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
              isSelected={selected.has(generation.id)}
              isCanceling={canceling.has(generation.id)}
              isSending={sending.length > 0}
              actions={actions}
            />
          </li>
        ))}
      </ul>
      {shown?.nextCursor && (
        <Link
          className={buttonLook({ tone: 'secondary', className: 'justify-self-center' })}
          to={feedAddress({ ...view, cursor: shown.nextCursor })}
        >
          Older
        </Link>
      )}
      <SelectionBar
        selected={items.filter(({ id }) => selected.has(id))}
        usable={usable}
        onClear={() => {
          setSelected(new Set());
        }}
      />
      {Lightbox && viewed !== null && (
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
      )}
    </section>
  );
}

const none: readonly Generation[] = [];

function Newest({ view: { kind, status } }: { view: FeedView }) {
  return (
    <Link
      className={buttonLook({ tone: 'secondary', size: 'small' })}
      to={feedAddress({ kind, status })}
    >
      Newest
    </Link>
  );
}
