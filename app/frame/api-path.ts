/** Whether a path is under `/api`, in any spelling that the router would find the route by. */
export function isApiPath(pathname: string): boolean {
  return /^\/api(\/|$)/i.test(decoded(pathname));
}

/** A path as the router reads it. One that cannot be decoded is left as it is. */
export function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
