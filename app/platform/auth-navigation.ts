/** Sign-in and sign-out: places to go, never something to fetch (W05, W06, W30). */
import { returnPathOf } from '~/frame/return-path';

/** Every address under this is the platform's. */
const platformRoutes = '/__auth/';
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

/** Leaves for the platform's sign-in. Browser only. */
export function goToLogin(returnPath = returnPathOf(window.location)): void {
  window.location.assign(loginAddress(returnPath));
}

/** Leaves for the platform's sign-out. Browser only. */
export function goToLogout(returnPath = '/'): void {
  window.location.assign(logoutAddress(returnPath));
}

/**
 * Leaves for the platform's route that a link names, with the default return where it names none. Browser only.
 *
 * @returns false, and nothing is done, for any other address.
 */
export function leaveForPlatformRoute({ pathname, search, searchParams }: URL): boolean {
  if (!pathname.startsWith(platformRoutes)) return false;
  const route = searchParams.has('return') ? undefined : pathname.replace(/\/$/, '');
  if (route === loginRoute) goToLogin();
  else if (route === logoutRoute) goToLogout();
  else window.location.assign(pathname + search);
  return true;
}
