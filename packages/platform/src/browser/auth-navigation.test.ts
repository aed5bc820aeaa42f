// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { loginAddress, logoutAddress } from '../auth-routes.ts';
import { goToLogin, goToLogout, leaveForPlatformRoute } from './auth-navigation.ts';

const assign = vi.fn();
const fetched = vi.fn();

beforeEach(() => {
  assign.mockReset();
  vi.spyOn(window.location, 'assign').mockImplementation(assign);
  vi.stubGlobal('fetch', fetched);
});

/** The return path that the platform reads from an address. */
function returned(address: string): string | null {
  return new URL(address, 'https://site.example').searchParams.get('return');
}

test('sign-in assigns the login route, returning to the current path and query [W05]', () => {
  window.history.replaceState(null, '', '/gallery?cursor=a b&next=/x#part');
  goToLogin();
  expect(assign.mock.calls).toEqual([
    ['/__auth/login?return=%2Fgallery%3Fcursor%3Da%2520b%26next%3D%2Fx'],
  ]);
  expect(fetched).not.toHaveBeenCalled();
});

test('sign-in returns to the path it is given [W05]', () => {
  goToLogin('/account');
  expect(assign.mock.calls).toEqual([['/__auth/login?return=%2Faccount']]);
});

test('sign-out assigns the logout route, returning to `/` [W06]', () => {
  window.history.replaceState(null, '', '/gallery?cursor=1');
  goToLogout();
  expect(assign.mock.calls).toEqual([['/__auth/logout?return=%2F']]);
  expect(fetched).not.toHaveBeenCalled();
});

test('sign-out returns to the path it is given [W06]', () => {
  goToLogout('/bye?x=1');
  expect(assign.mock.calls).toEqual([['/__auth/logout?return=%2Fbye%3Fx%3D1']]);
});

test.each([
  '/',
  '/gallery',
  '/gallery?a=1&b=2',
  '/s?q=100%&next=https://elsewhere.example/',
  '/ü/🦊?q=a+b',
  '/s?return=/x&return=/y#z',
  '/a%20b%2Fc',
])('the return path %s survives encoding [W05] [W06]', (path) => {
  expect(returned(loginAddress(path))).toBe(path);
  expect(returned(logoutAddress(path))).toBe(path);
  expect(loginAddress(path)).toMatch(/^\/__auth\/login\?return=[^&?#=+/\s]+$/);
});

test('the routes are the platform’s, not a /login of the site [W05] [W30]', () => {
  expect(loginAddress('/')).toBe('/__auth/login?return=%2F');
  expect(logoutAddress()).toBe('/__auth/logout?return=%2F');
});

test.each([
  ['/__auth/login?return=%2Fgallery', '/__auth/login?return=%2Fgallery'],
  ['/__auth/login', '/__auth/login?return=%2Fhere'],
  ['/__auth/logout/', '/__auth/logout?return=%2F'],
  ['/__auth/terms?x=1', '/__auth/terms?x=1'],
])('a link to %s assigns %s [W05] [W06]', (link, assigned) => {
  window.history.replaceState(null, '', '/here');
  expect(leaveForPlatformRoute(new URL(link, 'https://site.example'))).toBe(true);
  expect(assign.mock.calls).toEqual([[assigned]]);
});

test.each(['/gallery', '/__authors', '/x/__auth/login'])('%s is not a platform route', (path) => {
  expect(leaveForPlatformRoute(new URL(path, 'https://site.example'))).toBe(false);
  expect(assign).not.toHaveBeenCalled();
});
