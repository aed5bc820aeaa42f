/** The current feed: the loader's items, merged with live events and the visitor's own actions. */
import { useCallback, useMemo, useState } from 'react';
import { isPending, type Generation } from '~/platform/generations/generations';

export interface UseFeed {
  items: readonly Generation[];
  /** Merges a generation from an event or a response. */
  update: (generation: Generation) => void;
  /** Hides a generation immediately, or shows it again. */
  hide: (id: string, isHidden: boolean) => void;
}

export function useFeed(loaded: readonly Generation[]): UseFeed {
  const [newer, setNewer] = useState<ReadonlyMap<string, Generation>>(new Map());
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());

  const update = useCallback((generation: Generation) => {
    setNewer((known) => {
      const before = known.get(generation.id);
      if (before && !isNewer(generation, before)) return known;
      return new Map(known).set(generation.id, generation);
    });
  }, []);
  const hide = useCallback((id: string, isHidden: boolean) => {
    setHidden((known) => {
      const next = new Set(known);
      if (isHidden) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);

  const items = useMemo(
    () =>
      loaded
        .filter(({ id }) => !hidden.has(id))
        .map((item) => {
          const other = newer.get(item.id);
          return other && isNewer(other, item) ? other : item;
        }),
    [loaded, newer, hidden],
  );
  return { items, update, hide };
}

/**
 * A generation only progresses, so the more advanced of two responses is the newer one, in whatever
 * order they arrive.
 */
function isNewer(generation: Generation, other: Generation): boolean {
  return (
    stageOf(generation) > stageOf(other) ||
    (stageOf(generation) === stageOf(other) && generation.progress > other.progress)
  );
}

function stageOf(generation: Generation): number {
  if (!isPending(generation)) return 2;
  return generation.status === 'running' ? 1 : 0;
}
