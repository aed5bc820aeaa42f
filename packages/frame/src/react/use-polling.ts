/** Keeps a page's data fresh while something is in progress. */
import { useEffect } from 'react';
import { useIdle, useReload } from './reload.tsx';

/**
 * Revalidates the page's loaders every `pause` milliseconds while the page is visible.
 *
 * @param pause null stops polling.
 * @returns a function that revalidates now.
 */
export function usePolling(pause: number | null): () => void {
  const reload = useReload();
  const idle = useIdle();
  useEffect(() => {
    if (pause === null || !idle) return;
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, pause);
    return () => {
      window.clearInterval(timer);
    };
  }, [pause, idle, reload]);
  return reload;
}
