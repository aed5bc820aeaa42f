/** Keeps a page's data fresh while something is under way. */
import { useNavigation, useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import { useReload } from './reload';

/**
 * Asks the page's loaders again, each `pause` milliseconds while the page is in view.
 *
 * @param pause null asks nothing.
 * @returns asks now.
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
