/** Somebody who uses a site account in the frame, through the site's own forms. */
import type { Locator } from '@playwright/test';
import { expect, type Framed } from '../../fixtures';
import { httpVisitor } from '../../harness/browser/visitor-http';
import type { Platform } from '../../harness/platform';

type Mailing = Pick<Platform<unknown>, 'mailbox' | 'siteOrigin' | 'sessions'>;

export interface Person {
  name: string;
  email: string;
  password: string;
}

/** Somebody new: a flow that is tried again meets no account of the time before. */
export function newPerson(name = 'Ada Quist'): Person {
  const email = `${crypto.randomUUID()}@example.org`;
  return { name, email, password: 'a long pass phrase' };
}

/** How a browser tells of a form that was refused, as some are on purpose. */
export const refusal = /^error: Failed to load resource: .* status of 422 /;

/** The page's own part, without the header. */
export function main({ site }: Framed): Locator {
  return site.getByRole('main');
}

/** Shows a page, and waits until it is whole. */
export async function open(framed: Framed, path: string): Promise<Locator> {
  await framed.open(path);
  await framed.hydrated();
  return main(framed);
}

/** The path of the link in the newest mail to somebody. */
export async function mailedPath(platform: Mailing, email: string, after = 0): Promise<string> {
  const mail = await platform.mailbox.next(email, after);
  const link = mail.links.find((one) => one.includes('token='));
  if (link === undefined) throw new Error(`There is no link in “${mail.subject}”.`);
  return link.slice(platform.siteOrigin.length);
}

export async function signUp(framed: Framed, platform: Mailing, person: Person): Promise<void> {
  const page = await open(framed, '/sign-up');
  await page.getByLabel('Name').fill(person.name);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('heading', { name: 'Look into your mail' })).toBeVisible();
  await open(framed, await mailedPath(platform, person.email));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible();
}

/** The same without a browser, for a flow that is about what comes afterwards. */
export async function signUpByHttp(platform: Mailing, person: Person): Promise<void> {
  const visitor = httpVisitor(platform, null);
  const post = async (path: string, fields: Record<string, string>) => {
    const { status } = await visitor.post(path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    expect(status, `POST ${path}`).toBe(200);
  };
  await post('/sign-up', { ...person });
  const mailed = new URL(await mailedPath(platform, person.email), platform.siteOrigin);
  const token = mailed.searchParams.get('token') ?? '';
  await post(mailed.pathname, { intent: 'confirm', token });
}

export async function signIn(framed: Framed, person: Person): Promise<void> {
  const page = await open(framed, '/sign-in');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
}

/** The part of the settings under a heading. */
export function section(framed: Framed, title: string): Locator {
  const heading = framed.site.getByRole('heading', { name: title, exact: true, level: 2 });
  return main(framed).locator('section').filter({ has: heading });
}
