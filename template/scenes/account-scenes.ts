/** The forms of the site's own accounts, and their states. */
import { expect } from '../../e2e/fixtures';
import {
  mailedPath,
  newPerson,
  open,
  section,
  signIn,
  signUpByHttp,
  submitSignUp,
} from '../../e2e/flows/accounts/person';
import type { Scene } from './scene';

export const accountScenes: readonly Scene[] = [
  {
    name: 'sign in',
    show: async ({ framed }) => {
      await open(framed, '/sign-in');
    },
  },
  {
    name: 'sign in, refused',
    show: async ({ framed }) => {
      const page = await open(framed, '/sign-in');
      await page.getByLabel('E-mail').fill(newPerson().email);
      await page.getByLabel('Password').fill('a wrong pass phrase');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'sign up, with errors',
    show: async ({ framed }) => {
      const nobody = { name: 'Ada', email: 'ada@nowhere', password: 'too short' };
      const page = await submitSignUp(framed, nobody);
      await expect(page.getByText('Use at least 10 characters.')).toBeVisible();
    },
  },
  {
    name: 'sign up, check your e-mail',
    show: async ({ framed }) => {
      const page = await submitSignUp(framed, newPerson());
      await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
    },
  },
  {
    name: 'confirm the address',
    show: async ({ framed }) => {
      await open(framed, '/verify-email?token=x');
    },
  },
  {
    name: 'forgotten password, link sent',
    show: async ({ framed }) => {
      const page = await open(framed, '/reset-password');
      await page.getByLabel('E-mail').fill(newPerson().email);
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByRole('status')).toBeVisible();
    },
  },
  {
    name: 'new password, changed',
    show: async ({ framed, platform }) => {
      const ada = newPerson();
      await signUpByHttp(platform, ada);
      const [{ id } = { id: 0 }] = platform.mailbox.messages(ada.email);
      const page = await open(framed, '/reset-password');
      await page.getByLabel('E-mail').fill(ada.email);
      await page.getByRole('button', { name: 'Send link' }).click();
      await open(framed, await mailedPath(platform, ada.email, id));
      await page.getByLabel('New password').fill('another long pass phrase');
      await page.getByRole('button', { name: 'Set password' }).click();
      await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();
    },
  },
  {
    name: 'new password, an expired link',
    show: async ({ framed }) => {
      const page = await open(framed, '/reset-password?token=x');
      await page.getByLabel('New password').fill('another long pass phrase');
      await page.getByRole('button', { name: 'Set password' }).click();
      await expect(page.getByText('This link has expired')).toBeVisible();
    },
  },
  {
    name: 'settings',
    show: async ({ framed, platform }) => {
      const ada = newPerson();
      await signUpByHttp(platform, ada);
      await signIn(framed, ada);
    },
  },
  {
    name: 'settings, sessions and deletion with a wrong password',
    show: async ({ framed, platform }) => {
      const ada = newPerson();
      await signUpByHttp(platform, ada);
      await signIn(framed, ada);
      const last = section(framed, 'Delete account');
      await last.getByLabel('Your password').fill('wrong');
      await last.getByRole('button', { name: 'Delete permanently' }).click();
      await expect(last.getByText('Wrong password.')).toBeVisible();
    },
    inView: (site) => site.getByRole('button', { name: 'Delete permanently' }),
  },
  {
    name: 'sign out',
    show: async ({ framed, platform }) => {
      const ada = newPerson();
      await signUpByHttp(platform, ada);
      await signIn(framed, ada);
      await open(framed, '/sign-out');
    },
  },
];
