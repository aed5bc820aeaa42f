/**
 * Puts the scripts and styles of every page into the browser's cache. Remix loads them on navigation and
 * reloads the document when it cannot, which during an outage leaves a page for a browser's error.
 */

/** Begins once the browser has nothing else to do. Browser only. */
export function cacheRouteFiles(): void {
  // Development serves sources, and `connection` is Chromium's.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!import.meta.env.PROD || connection?.saveData) return;
  // Safari has no `requestIdleCallback`.
  if ('requestIdleCallback' in window) window.requestIdleCallback(fetchAll);
  else setTimeout(fetchAll, 2_000);
}

function fetchAll(): void {
  const files = Object.values(window.__remixManifest.routes)
    .filter(({ path }) => !path?.startsWith('api/'))
    .flatMap(({ module, imports = [], css = [] }) => [module, ...imports, ...css]);
  for (const file of new Set(files)) {
    // The same request as a module's own, or the cache would not serve it.
    fetch(file, { priority: 'low' }).catch(() => undefined);
  }
}
