/**
 * Whether a path is under `/api`, in any spelling that the router matches: percent-encoded, or in
 * upper case.
 */
export function isApiPath(pathname: string): boolean {
  return /^\/api(\/|$)/i.test(decoded(pathname));
}

/** The path as the router decodes it. One that cannot be decoded is returned unchanged. */
export function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
