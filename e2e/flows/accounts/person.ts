/** A person who uses a site account in the frame, through the site's own forms. */
import type { Locator } from '@playwright/test';
import { expect, type Framed } from '../../fixtures';
import { httpVisitor } from '@gatehouse/simulator/http';
import type { AccountParts } from '@gatehouse/simulator';
import type { Platform } from '@gatehouse/simulator/platform';
import feature from './feature';

type Mailing = Pick<Platform<unknown>, 'mailbox' | 'siteOrigin' | 'sessions'>;

export type Person = AccountParts['person'];

/** A new person each time: a retried flow must not meet the previous account. */
export function newPerson(name = 'Ada Quist'): Person {
  const email = `${crypto.randomUUID()}@example.org`;
  return { name, email, password: 'a long pass phrase' };
}

/** The console error that a browser logs for a rejected form, which some tests expect. */
export const refusal = /^error: Failed to load resource: .* status of 422 /;

/** The page's main content, without the header. */
export function main({ site }: Framed): Locator {
  return site.getByRole('main');
}

/** Opens a page, and waits until it is complete. */
export async function open(framed: Framed, path: string): Promise<Locator> {
  await framed.open(path);
  await framed.hydrated();
  return main(framed);
}

/** The path of the link in the newest mail to an address. */
export async function mailedPath(platform: Mailing, email: string, after = 0): Promise<string> {
  const mail = await platform.mailbox.next(email, after);
  const link = mail.links.find((address) => address.includes('token='));
  if (link === undefined) throw new Error(`There is no link in “${mail.subject}”.`);
  return link.slice(platform.siteOrigin.length);
}

/** Fills in the form of the sign-in, or the rest of the sign-up's, and submits it. */
export async function submitCredentials(
  form: Locator,
  { email, password }: Pick<Person, 'email' | 'password'>,
  button = 'Sign in',
): Promise<void> {
  await form.getByLabel('E-mail').fill(email);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: button }).click();
}

/** Submits the form of the sign-up, whose outcome the page shows. */
export async function submitSignUp(framed: Framed, person: Person): Promise<Locator> {
  const page = await open(framed, '/sign-up');
  await page.getByLabel('Name').fill(person.name);
  await submitCredentials(page, person, 'Sign up');
  return page;
}

export async function signUp(framed: Framed, platform: Mailing, person: Person): Promise<void> {
  const page = await submitSignUp(framed, person);
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
  await open(framed, await mailedPath(platform, person.email));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible();
}

/** The same over HTTP, for flows that are about what comes afterwards. */
export async function signUpByHttp(platform: Mailing, person: Person): Promise<void> {
  const mail = { link: (email: string) => mailedPath(platform, email) };
  await feature.accounts.signUp({ visitor: httpVisitor(platform, null), person, mail });
}

export async function signIn(framed: Framed, person: Person): Promise<void> {
  const page = await open(framed, '/sign-in?return=/settings');
  await submitCredentials(page, person);
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
}

/** A section of the settings, by its heading. */
export function section(framed: Framed, title: string): Locator {
  const heading = framed.site.getByRole('heading', { name: title, exact: true, level: 2 });
  return main(framed).locator('section').filter({ has: heading });
}
