/** Sign-in and sign-out are navigations, never fetches (W05, W06, W30). */
import { returnPathOf } from '@gatehouse/frame';
import {
  loginAddress,
  loginRoute,
  logoutAddress,
  logoutRoute,
  platformRoutes,
} from '../auth-routes.ts';

/** Navigates to the platform's sign-in. Browser only. */
export function goToLogin(returnPath = returnPathOf(window.location)): void {
  window.location.assign(loginAddress(returnPath));
}

/** Navigates to the platform's sign-out. Browser only. */
export function goToLogout(returnPath = '/'): void {
  window.location.assign(logoutAddress(returnPath));
}

/**
 * Navigates to a platform route that a link points to, adding the default return path if the link
 * has none. Browser only.
 *
 * @returns false, without navigating, for any other address.
 */
export function leaveForPlatformRoute({ pathname, search, searchParams }: URL): boolean {
  if (!pathname.startsWith(platformRoutes)) return false;
  const route = searchParams.has('return') ? undefined : pathname.replace(/\/$/, '');
  if (route === loginRoute) goToLogin();
  else if (route === logoutRoute) goToLogout();
  else window.location.assign(pathname + search);
  return true;
}
