/** What an order would cost, as it is typed. */
import { useEffect, useRef, useState } from 'react';
import type { ApiResponse } from '~/frame/api';
import type { Estimate } from '~/platform/sdk/generations/generations';
import { useApi } from '~/shell/use-api';

/** The order of a form that nobody has touched. */
export const plainSize = { kind: 'picture', aspectRatio: '1:1', count: 1, references: 0 } as const;

export interface OrderSize {
  kind: string;
  aspectRatio: string;
  /** Generations. */
  count: number;
  references: number;
  /** Empty for the one that the platform has as chosen. */
  workspace: string;
}

export interface UseEstimate {
  /** Null until it is there. */
  estimate: Estimate | null;
  /** Why there is none. */
  problem: string | null;
}

/** Milliseconds that an order rests before it is asked about, and after which what failed is asked again. */
const pause = 200;
const again = 2_000;

/**
 * @param size null asks nothing.
 * @param version changes when the balance has changed.
 * @param loaded what the page's loader knows of a plain order, which is then not asked about.
 */
export function useEstimate(
  size: OrderSize | null,
  version: string,
  loaded: Estimate | null,
): UseEstimate {
  const { ask } = useApi<() => Promise<ApiResponse<Estimate>>>();
  const isLoaded = loaded !== null && size !== null && isPlain(size);
  const query = size && !isLoaded ? addressOf(size) : null;
  const [known, setKnown] = useState<UseEstimate & { query: string | null }>(unknown);
  // It changes with the session, and the answer does not.
  const asking = useRef(ask);
  useEffect(() => {
    asking.current = ask;
  });
  useEffect(() => {
    if (query === null) return;
    let isOver = false;
    let timer: number | undefined;
    const look = async () => {
      const answer = await asking.current(`/api/generations/estimate?${query}`);
      if (isOver || (!answer.ok && answer.code === 'aborted')) return;
      const problem = answer.ok ? null : 'What it costs is not known right now.';
      setKnown({ query, estimate: answer.ok ? answer.data : null, problem });
      if (!answer.ok && mayPass(answer.status)) timer = window.setTimeout(lookInView, again);
    };
    const lookInView = () => {
      if (document.visibilityState === 'visible') void look();
      else timer = window.setTimeout(lookInView, again);
    };
    timer = window.setTimeout(lookInView, pause);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [query, version]);
  if (isLoaded) return { estimate: loaded, problem: null };
  return known.query === query ? known : unknown;
}

const unknown = { query: null, estimate: null, problem: null };

/** Whether the same question may have another answer soon. */
function mayPass(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** What the form is when nobody has touched it. */
function isPlain({ kind, aspectRatio, count, references }: OrderSize): boolean {
  const plain = kind === plainSize.kind && aspectRatio === plainSize.aspectRatio;
  return plain && count === plainSize.count && references === plainSize.references;
}

function addressOf({ workspace, ...size }: OrderSize): string {
  const fields = Object.entries(size).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams([
    ...fields,
    ...(workspace ? [['workspace', workspace]] : []),
  ]).toString();
}
