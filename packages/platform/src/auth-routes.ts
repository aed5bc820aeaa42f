/** Addresses of the platform's sign-in and sign-out (W05, W06). */

/** Every path under this prefix belongs to the platform. */
export const platformRoutes = '/__auth/';
export const loginRoute = '/__auth/login';
export const logoutRoute = '/__auth/logout';

/** @param returnPath a path on this site, with its query. */
export function loginAddress(returnPath: string): string {
  return `${loginRoute}?return=${encodeURIComponent(returnPath)}`;
}

/** @param returnPath a path on this site, with its query. */
export function logoutAddress(returnPath = '/'): string {
  return `${logoutRoute}?return=${encodeURIComponent(returnPath)}`;
}
