/**
 * Puts the scripts and styles of every page into the browser's cache. Remix loads them on navigation and
 * reloads the document when that fails, which during an outage replaces the page with a browser error.
 */

/** Begins once the browser has nothing else to do. Browser only. */
export function cacheRouteFiles(): void {
  // Development has no bundles to cache. `connection` exists in Chromium only.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!import.meta.env.PROD || connection?.saveData) return;
  // Safari has no `requestIdleCallback`.
  if ('requestIdleCallback' in window) window.requestIdleCallback(fetchAll, { timeout: latest });
  else setTimeout(fetchAll, latest);
}

/** Milliseconds. A page that is never idle may be the one that meets an outage. */
const latest = 2_000;

function fetchAll(): void {
  const files = Object.values(window.__remixManifest.routes)
    .filter(({ path }) => !path?.startsWith('api/'))
    .flatMap(({ module, imports = [], css = [] }) => [module, ...imports, ...css]);
  for (const file of new Set(files)) {
    // With the mode and credentials of a module request, or the cache would not serve it to one.
    fetch(file, { priority: 'low' }).catch(() => undefined);
  }
}
