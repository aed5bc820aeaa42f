/** The whole site in memory, on its own store, and browsers that sign in to site accounts. */
import { TestBrowser, type Visit } from '@gatehouse/server/remix/testing';
import { afterAll, beforeEach, expect, vi } from 'vitest';
import { type Account } from '@gatehouse/accounts';
import { requireAccount } from '~/accounts.server';
import { allMails, sentMails } from '@gatehouse/accounts/testing/mail-double';
import { startOthers } from './other-features';
import { startStore } from './accounts/empty-store';
import { siteOrigin, startSite, type TestSite } from './whole-site';

/** A visitor's browser. */
export class Browser extends TestBrowser {
  constructor(site: TestSite, address = '203.0.113.7') {
    super(site.send, address);
  }

  signIn(person: Person): Promise<Visit> {
    return this.post('/sign-in', { ...credentialsOf(person) });
  }

  /** The id of the signed-in account, from its settings page. */
  async accountId(): Promise<string> {
    const { text } = await this.get('/settings');
    const [, id = ''] = /name="account" value="([^"]+)"/.exec(text) ?? [];
    expect(id).not.toBe('');
    return id;
  }
}

export interface Person {
  name: string;
  email: string;
  password: string;
}

function credentialsOf({ email, password }: Person) {
  return { email, password };
}

/**
 * Call once at the top of a test file that mocks the log, mail and the cost of hashes.
 *
 * @param databaseUrl returns the `DATABASE_URL` of an empty store, for stores that are not a file.
 */
export async function startSiteWithAccounts(databaseUrl?: () => Promise<string>) {
  vi.stubEnv('SMTP_URL', 'smtp://127.0.0.1:9');
  vi.stubEnv('PLATFORM_FRAME_ANCESTORS', 'https://platform.example');
  await startOthers('accounts');
  const site = await startSite();
  startStore(databaseUrl);
  afterAll(allMails);
  beforeEach(async () => {
    await allMails();
    sentMails.length = 0;
  });

  let count = 0;
  const browser = (address?: string) => new Browser(site, address);
  const person = (): Person => {
    count++;
    return {
      name: `Ada ${count}`,
      email: `ada${count}@example.org`,
      password: `a long pass phrase ${count}`,
    };
  };
  return {
    site,
    browser,
    /** A visitor without an account. */
    person,
    /** A visitor with a confirmed account. */
    member: async (from?: string): Promise<Person> => {
      const someone = person();
      const visitor = browser(from);
      await visitor.post('/sign-up', { ...someone });
      const token = await mailedToken(someone.email);
      const confirmed = await visitor.post('/verify-email', { intent: 'confirm', token });
      expect(confirmed.text).toContain('has been confirmed');
      sentMails.length = 0;
      return someone;
    },
    signedIn: async (someone: Person, from?: string): Promise<Browser> => {
      const visitor = browser(from);
      const response = await visitor.signIn(someone);
      expect([response.status, response.text]).toEqual([303, '']);
      return visitor;
    },
  };
}

export type SiteWithAccounts = Awaited<ReturnType<typeof startSiteWithAccounts>>;

/** The account that a page's guard gives for a browser's next request. */
export async function accountIn({ cookies }: Browser): Promise<Account> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const request = new Request(siteOrigin, { headers: { cookie } });
  return (await requireAccount({ request, context: {} })).account;
}

/** The token of the newest link sent to an address. Mail is sent in the background. */
export async function mailedToken(email: string): Promise<string> {
  const find = () => sentMails.findLast(({ to, text }) => to === email && text.includes('token='));
  await expect.poll(find, { interval: 5 }).toBeDefined();
  const [, token = ''] = /token=(\S+)/.exec(find()?.text ?? '') ?? [];
  return decodeURIComponent(token);
}
