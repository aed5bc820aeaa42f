/** Sign-in and sign-out: places to go, never something to fetch (W05, W06, W30). */

export const loginRoute = '/__auth/login';
export const logoutRoute = '/__auth/logout';

/** @param returnPath a path of this site, with its query. */
export function loginAddress(returnPath: string): string {
  return `${loginRoute}?return=${encodeURIComponent(returnPath)}`;
}

/** @param returnPath a path of this site, with its query. */
export function logoutAddress(returnPath = '/'): string {
  return `${logoutRoute}?return=${encodeURIComponent(returnPath)}`;
}

/**
 * The path and query of an address on this site, safe as a return path. A visit to
 * `https://site//evil.test` has a path that a browser would read as another host: its slashes fold.
 */
export function returnPathOf(location: { pathname: string; search: string }): string {
  return location.pathname.replace(/^[/\\]+/, '/') + location.search;
}

/** Leaves for the platform's sign-in. Browser only. */
export function goToLogin(returnPath = returnPathOf(window.location)): void {
  window.location.assign(loginAddress(returnPath));
}

/** Leaves for the platform's sign-out. Browser only. */
export function goToLogout(returnPath = '/'): void {
  window.location.assign(logoutAddress(returnPath));
}
