/**
 * Prefetches every page's scripts and styles into the browser's cache. The framework loads them
 * on navigation and reloads the document if that fails, which during an outage replaces the page with
 * a browser error.
 */
import type { PageFramework } from '../framework/framework.ts';

/** Starts when the browser is idle. Browser only. */
export function cacheRouteFiles({ pageFiles }: PageFramework): void {
  // Development has no bundles to cache. `navigator.connection` exists only in Chromium.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!import.meta.env.PROD || connection?.saveData) return;
  const fetchAll = () => {
    for (const file of new Set(pageFiles())) {
      // Mode and credentials must match a module request's, otherwise the cache entry is not reused.
      fetch(file, { priority: 'low' }).catch(() => undefined);
    }
  };
  // Safari has no `requestIdleCallback`.
  if ('requestIdleCallback' in window) window.requestIdleCallback(fetchAll, { timeout: latest });
  else setTimeout(fetchAll, latest);
}

/** Milliseconds until it starts even on a page that is never idle. */
const latest = 2_000;
