/** Keeps a page's data fresh while something is in progress. */
import { useNavigation, useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import { useReload } from './reload.tsx';

/**
 * Revalidates the page's loaders every `pause` milliseconds while the page is visible.
 *
 * @param pause null stops polling.
 * @returns a function that revalidates now.
 */
export function usePolling(pause: number | null): () => void {
  const reload = useReload();
  const { state } = useRevalidator();
  const navigation = useNavigation();
  const idle = state === 'idle' && navigation.state === 'idle';
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
