/** The cost of an order, while it is being edited. */
import { useEffect, useRef, useState } from 'react';
import type { ApiResponse } from '@gatehouse/frame/browser';
import type { Estimate } from '~/platform/generations/generations';
import { useApi } from '@gatehouse/frame/react';

/** The order of an untouched form. */
export const plainSize = { kind: 'picture', aspectRatio: '1:1', count: 1, references: 0 } as const;

export interface OrderSize {
  kind: string;
  aspectRatio: string;
  /** Generations. */
  count: number;
  references: number;
  /** Empty for the workspace that is chosen on the platform. */
  workspace: string;
}

export interface UseEstimate {
  /** Null until known. */
  estimate: Estimate | null;
  /** Why it is unknown. */
  problem: string | null;
}

/** Milliseconds without a change before the estimate is requested, and between retries. */
const pause = 200;
const again = 2_000;

/**
 * @param size null requests nothing.
 * @param version changes with the balance.
 * @param loaded the loader's estimate for an untouched form, which is then not requested.
 */
export function useEstimate(
  size: OrderSize | null,
  version: string,
  loaded: Estimate | null,
): UseEstimate {
  const { send } = useApi<() => Promise<ApiResponse<Estimate>>>();
  const isLoaded = loaded !== null && size !== null && isPlain(size);
  const query = size && !isLoaded ? addressOf(size) : null;
  const [known, setKnown] = useState<UseEstimate & { query: string | null }>(unknown);
  // A ref, because `ask` changes with the session and must not trigger another request.
  const latestSend = useRef(send);
  useEffect(() => {
    latestSend.current = send;
  });
  useEffect(() => {
    if (query === null) return;
    let isOver = false;
    let timer: number | undefined;
    const look = async () => {
      const result = await latestSend.current(`/api/generations/estimate?${query}`);
      if (isOver || (!result.ok && result.code === 'aborted')) return;
      const problem = result.ok ? null : 'The cost is currently unknown.';
      setKnown({ query, estimate: result.ok ? result.data : null, problem });
      if (!result.ok && mayPass(result.status)) timer = window.setTimeout(lookInView, again);
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

/** Whether a retry may succeed. */
function mayPass(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** Whether the form is untouched. */
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
