/** Data that arrives after the page's shell. */

/** Whether a loader's data has a part that is still to come: a promise anywhere in it. */
export function isDeferred(data: unknown, seen = new Set()): boolean {
  if (typeof data !== 'object' || data === null || seen.has(data)) return false;
  seen.add(data);
  return (
    ('then' in data && typeof data.then === 'function') ||
    Object.values(data).some((part) => isDeferred(part, seen))
  );
}
