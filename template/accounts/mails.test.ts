/** Each mail to an account: its links, that it is plain text, and that no form adds a header or a recipient. */
import { expect, test, vi } from 'vitest';
import { allMails, sentMails } from '@gatehouse/accounts/testing/mail-double';
import { mailedToken, startSiteWithAccounts, type Browser } from '~/testing/site-with-accounts';
import { siteOrigin } from '@gatehouse/server/remix/testing';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));
vi.stubEnv('SITE_ORIGIN', siteOrigin);

const { browser, person, member, signedIn } = await startSiteWithAccounts();

interface Sent {
  to: string;
  subject: string;
  /** The path and query of each link. */
  links: string[];
}

/** The mails that a form leads to, in the order of their recipients and subjects. */
async function sentBy(count: number, work: () => Promise<unknown>): Promise<Sent[]> {
  sentMails.length = 0;
  await work();
  expect(await allMails()).toHaveLength(count);
  const sent = sentMails.map((mail) => {
    // Mail without HTML: what is read is all there is.
    expect(Object.keys(mail).sort()).toEqual(['subject', 'text', 'to']);
    expect([mail.subject, mail.to].join('')).not.toMatch(/\p{Cc}/u);
    const links = mail.text.match(/\bhttps?:\S+/g) ?? [];
    return {
      to: mail.to,
      subject: mail.subject.replace(/ for Gatehouse| at Gatehouse/, ''),
      links: links.map((link) => {
        expect(link.startsWith(`${siteOrigin}/`)).toBe(true);
        return link.slice(siteOrigin.length);
      }),
    };
  });
  return sent.sort((a, b) => (a.subject < b.subject ? -1 : 1));
}

/** Opens a mailed link, and submits the form that it leads to. */
async function follow(
  link: string | undefined,
  intent: string,
  fields: Record<string, string> = {},
) {
  const page = await browser().get(link ?? '');
  expect(page.status).toBe(200);
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(page.text) ?? [];
  expect(token).not.toBe('');
  const { pathname } = new URL(link ?? '', siteOrigin);
  return browser().post(pathname, { intent, token, ...fields });
}

const withToken = (path: string) =>
  expect.stringMatching(new RegExp(`^${path}\\?token=[\\w.%-]+$`)) as string;

test('each mail has the links that its reader needs, and they work', async () => {
  const ada = person();
  const signUp = () => browser().post('/sign-up', { ...ada });
  const verification = await sentBy(1, signUp);
  expect(verification).toEqual([
    {
      to: ada.email,
      subject: 'Confirm your e-mail address',
      links: [withToken('/verify-email')],
    },
  ]);
  expect((await follow(verification[0]?.links[0], 'confirm')).text).toContain('been confirmed');

  const [known] = await sentBy(1, signUp);
  expect(known).toEqual({
    to: ada.email,
    subject: 'You already have an account',
    links: ['/sign-in', '/reset-password'],
  });
  for (const link of known?.links ?? []) expect((await browser().get(link)).status).toBe(200);

  const reset = await sentBy(1, () =>
    browser().post('/reset-password', { intent: 'send', email: ada.email }),
  );
  expect(reset).toEqual([
    { to: ada.email, subject: 'Choose a new password', links: [withToken('/reset-password')] },
  ]);
  const password = 'another long pass phrase';
  const changed = await sentBy(1, () => follow(reset[0]?.links[0], 'reset', { password }));
  const passwordChanged = {
    to: ada.email,
    subject: 'Your password has been changed',
    links: ['/reset-password'],
  };
  expect(changed).toEqual([passwordChanged]);

  const visitor = await signedIn({ ...ada, password });
  const account = await visitor.accountId();
  const settings = (fields: Record<string, string>) => () =>
    visitor.post('/settings', { account, ...fields });
  const again = { intent: 'password', current: password, password: ada.password };
  expect(await sentBy(1, settings(again))).toEqual([passwordChanged]);

  const email = `new-${ada.email}`;
  const sent = await sentBy(2, settings({ intent: 'email', email, password: ada.password }));
  expect(sent).toEqual([
    { to: ada.email, subject: 'A new e-mail address for your account', links: ['/reset-password'] },
    { to: email, subject: 'Confirm your e-mail address', links: [withToken('/verify-email')] },
  ]);
  expect(await sentBy(1, () => follow(sent[1]?.links[0], 'confirm'))).toEqual([
    // Whoever reads the old mailbox has no account there any more.
    { to: ada.email, subject: 'The e-mail address of your account has been changed', links: [] },
  ]);
  expect(await sentBy(1, settings({ intent: 'delete', password: ada.password }))).toEqual([
    { to: email, subject: 'Your account has been deleted', links: [] },
  ]);
});

test('an address with line breaks, or with a second address, is refused by each form', async () => {
  const ada = await member();
  const visitor = await signedIn(ada);
  const account = await visitor.accountId();
  const { password } = ada;
  const forms: [Browser, string, Record<string, string>][] = [
    [browser(), '/sign-up', { name: 'Ada', password }],
    [browser(), '/sign-in', { password }],
    [browser(), '/reset-password', { intent: 'send' }],
    [browser(), '/verify-email', { intent: 'send' }],
    [visitor, '/settings', { intent: 'email', account, password }],
  ];
  for (const more of [
    '\r\nBcc: all@example.org',
    '\nall@example.org',
    '\u2028all@example.org',
    ', all@example.org',
    ' all@example.org',
    '>, <all@example.org',
  ]) {
    for (const email of [
      `${ada.email}${more}`,
      `"${more}" <${ada.email}>`,
      `${more}${ada.email}`,
    ]) {
      for (const [who, path, fields] of forms) {
        const { status } = await who.post(path, { ...fields, email });
        expect([path, email, status]).toEqual([path, email, 422]);
      }
    }
  }
  expect(await allMails()).toEqual([]);
});

test.each(['Ada\r\nBcc: all@example.org', 'Ada\u0000', 'Ada\u0085Bcc: all@example.org'])(
  'a name is changed to none that would end a header: %j',
  async (name) => {
    const ada = await member();
    const visitor = await signedIn(ada);
    const account = await visitor.accountId();
    const named = await visitor.post('/settings', { intent: 'name', account, name });
    expect(named.status).toBe(422);
    const signedUp = await browser().post('/sign-up', { ...person(), name });
    expect([signedUp.status, await allMails()]).toEqual([422, []]);
  },
);

test('a name that looks like a header or a link is in no mail', async () => {
  const ada = { ...person(), name: 'Bcc: all@example.org https://evil.test/' };
  await browser().post('/sign-up', { ...ada });
  await mailedToken(ada.email);
  expect(JSON.stringify(await allMails())).not.toMatch(/Bcc|evil/);
});
