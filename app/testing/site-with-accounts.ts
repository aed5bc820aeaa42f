/** The whole site in memory, on its own store, and browsers that sign in to site accounts. */
import { createRequestContext } from '@gatehouse/server';
import { afterAll, beforeEach, expect, vi } from 'vitest';
import { type Account } from '@gatehouse/accounts';
import { requireAccount } from '~/accounts.server';
import { site as server } from '~/server/site';
import { allMails, sentMails } from '@gatehouse/accounts/testing/mail-double';
import { startOthers } from './other-features';
import { startStore } from './accounts/empty-store';
import { siteOrigin, startSite, type TestSite } from './whole-site';

export interface Visit {
  status: number;
  location: string | null;
  setCookies: string[];
  text: string;
  headers: Headers;
}

/** A browser with a cookie jar. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    readonly site: TestSite,
    /** The browser's IP address. */
    readonly address = '203.0.113.7',
  ) {}

  get(path: string): Promise<Visit> {
    return this.send(path, {});
  }

  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Visit> {
    return this.send(path, {
      method: 'POST',
      headers: {
        origin: siteOrigin,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    });
  }

  async send(path: string, init: RequestInit): Promise<Visit> {
    const response = await this.respond(path, init);
    return {
      status: response.status,
      location: response.headers.get('location'),
      setCookies: response.headers.getSetCookie(),
      text: await response.text(),
      headers: response.headers,
    };
  }

  /** The response itself, whose body is not read yet. */
  async respond(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, siteOrigin);
    const { signal } = new AbortController();
    const request = new Request(url, { signal, ...init });
    request.headers.set('host', url.host);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookie) request.headers.set('cookie', cookie);
    const given = { signal, requestId: 'r1', nonce: 'n1' };
    const context = { ...createRequestContext(url, server, given), clientAddress: this.address };
    const response = await (await this.site.match(url)).respond(request, context);
    for (const setCookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
      if (/max-age=0/i.test(setCookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
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
