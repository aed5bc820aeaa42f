/** The pages of every site on a platform. */
import { expect } from '../../e2e/fixtures';
import type { Scene } from './scene';

export const siteScenes: readonly Scene[] = [
  {
    name: 'home, signed out',
    show: async ({ framed: { site } }) => {
      await expect(site.getByRole('region', { name: 'Signed out' })).toBeVisible();
    },
  },
  {
    name: 'home, signed in',
    show: async ({ framed: { site }, signedIn }) => {
      await signedIn('xochitl', '/');
      await expect(site.getByText('Welcome back')).toBeVisible();
    },
  },
  {
    name: 'home, with the platform unreachable',
    show: async ({ framed, platform }) => {
      await platform.faults.set('user', { kind: 'reset' });
      await framed.open('/');
      await expect(framed.site.getByText('The platform is not responding')).toBeVisible();
    },
  },
  {
    name: 'header, an open account menu',
    show: async ({ framed, signedIn }) => {
      await signedIn('ada', '/');
      await framed.hydrated();
      const menu = framed.site.getByRole('banner').locator('details').filter({ hasText: 'Ada' });
      await menu.locator('summary').click();
      await expect(menu.getByRole('button', { name: 'Sign out' })).toBeVisible();
    },
  },
  {
    name: 'account',
    show: async ({ framed, signedIn }) => {
      await signedIn('xochitl', '/account');
      await expect(framed.site.getByRole('heading', { name: 'Account' })).toBeVisible();
    },
  },
  {
    name: 'no such page',
    show: async ({ framed }) => {
      await framed.open('/no-such-page');
      await expect(framed.site.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    },
  },
  {
    name: 'a page that failed',
    show: async ({ framed, platform }) => {
      await platform.faults.set('user', { kind: 'status', status: 503 });
      await framed.open('/account');
      await expect(framed.site.getByRole('link', { name: 'Try again' })).toBeVisible();
    },
  },
  {
    name: 'the platform’s sign-in',
    show: async ({ framed }) => {
      await framed.open('/__auth/login?return=/');
      await expect(framed.site.locator('button[value="ada"]')).toBeVisible();
    },
  },
];
