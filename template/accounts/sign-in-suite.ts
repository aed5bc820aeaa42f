/** Signing up, in and out over HTTP. Runs on either database. */
import { expect, test } from 'vitest';
import { allMails } from '@gatehouse/accounts/testing/mail-double';
import { membersPage } from '~/accounts/return-address';
import {
  accountIn,
  mailedToken,
  type Browser,
  type SiteWithAccounts,
} from '~/testing/site-with-accounts';

export function signInSuite({ browser, person, member, signedIn }: SiteWithAccounts): void {
  test('a new visitor signs up, confirms the address by mail, and signs in', async () => {
    const ada = person();
    const visitor = browser();
    const signedUp = await visitor.post('/sign-up', { ...ada });
    expect(signedUp.status).toBe(200);
    expect(signedUp.text).toContain('Check your e-mail');
    expect(signedUp.setCookies).toEqual([]);

    // The sign-up continues after its response, up to this mail.
    const token = await mailedToken(ada.email);
    const early = await visitor.signIn(ada);
    expect(early.status).toBe(403);
    expect(early.text).toContain('Confirm your e-mail address first');

    expect((await visitor.get(`/verify-email?token=${token}`)).text).toContain('Confirm');
    const confirmed = await visitor.post('/verify-email', { intent: 'confirm', token });
    expect(confirmed.text).toContain('has been confirmed');
    expect(confirmed.setCookies).toEqual([]);

    const entered = await visitor.signIn(ada);
    expect([entered.status, entered.location]).toEqual([303, membersPage]);
    const settings = await visitor.get('/settings');
    expect(settings.status).toBe(200);
    expect(settings.text).toContain(ada.email);
  });

  test('right passwords of an unconfirmed account send five mails an hour, and the form says when none was sent', async () => {
    const ada = person();
    await browser().post('/sign-up', { ...ada });
    await mailedToken(ada.email);
    const texts: string[] = [];
    for (let n = 1; n <= 7; n++) {
      const { status, text } = await browser().signIn(ada);
      expect(status).toBe(403);
      texts.push(text);
    }
    // The first of the five was the sign-up mail.
    expect(texts.map((text) => text.includes('we have just sent you'))).toEqual([
      ...Array<boolean>(4).fill(true),
      ...Array<boolean>(3).fill(false),
    ]);
    expect(await allMails()).toHaveLength(5);
  });

  test('requesting the link confirms nothing, since mail scanners do that', async () => {
    const ada = person();
    const visitor = browser();
    await visitor.post('/sign-up', { ...ada });
    const token = await mailedToken(ada.email);
    await visitor.get(`/verify-email?token=${token}`);
    expect((await visitor.signIn(ada)).status).toBe(403);
  });

  test('the guard gives the account, with an address that was confirmed by mail', async () => {
    const ada = await member();
    expect(await accountIn(await signedIn(ada))).toEqual({
      id: expect.any(String) as string,
      sessionId: expect.any(String) as string,
      name: ada.name,
      email: ada.email,
      emailVerified: true,
      roles: [],
    });
  });

  test('the cookie survives in a cross-site frame, and is not readable by scripts', async () => {
    const visitor = browser();
    const { setCookies } = await visitor.signIn(await member());
    expect(setCookies).toHaveLength(1);
    const [name = '', ...attributes] = (setCookies[0] ?? '').split('; ');
    expect(name).toMatch(/^__Host-site-session=/);
    expect(attributes.sort()).toEqual(
      ['HttpOnly', 'Max-Age=2592000', 'Partitioned', 'Path=/', 'SameSite=None', 'Secure'].sort(),
    );
  });

  test('a signed-out visitor is redirected to sign-in and back', async () => {
    const visitor = browser();
    const sent = await visitor.get('/settings?tab=1');
    expect([sent.status, sent.location]).toEqual([302, '/sign-in?return=%2Fsettings%3Ftab%3D1']);
    const page = await visitor.get('/sign-in?return=%2Fsettings%3Ftab%3D1');
    expect(page.text).toContain('value="/settings?tab=1"');
    const ada = await member();
    const entered = await visitor.post('/sign-in', {
      intent: 'sign-in',
      email: ada.email,
      password: ada.password,
      return: '/settings?tab=1',
    });
    expect(entered.location).toBe('/settings?tab=1');
    expect((await visitor.get('/sign-in?return=%2F')).location).toBe('/');
  });

  test('the way back is kept from sign-in to sign-up, to a new password and back', async () => {
    const back = '?return=%2Fsettings%3Ftab%3D1';
    const visitor = browser();
    const links = async (path: string) => {
      const [main = ''] = /<main.*<\/main>/s.exec((await visitor.get(path)).text) ?? [];
      return [...main.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
    };
    for (const [page, other] of [
      ['/sign-in', '/sign-up'],
      ['/sign-in', '/reset-password'],
      ['/sign-up', '/sign-in'],
      ['/reset-password', '/sign-in'],
    ] as const) {
      expect(await links(page + back)).toContain(other + back);
      expect(await links(page)).toContain(other);
      // Anybody can write a link.
      expect((await links(`${page}?return=//evil.test`)).join(' ')).not.toContain('evil');
    }
    const ada = person();
    const fields = { ...ada, return: '/settings?tab=1' };
    const signedUp = await visitor.post(`/sign-up${back}`, fields);
    expect(signedUp.text).toContain(`href="/sign-in${back}"`);

    const here = await signedIn(await member());
    for (const page of ['/sign-in', '/sign-up']) {
      expect((await here.get(page)).location).toBe(membersPage);
      expect((await here.get(page + back)).location).toBe('/settings?tab=1');
      expect((await here.get(`${page}?return=//evil.test`)).location).toBe(membersPage);
    }
  });

  test('the signed-out home page offers sign-up and sign-in, and a signed-in one says who it is', async () => {
    const main = async (visitor: Browser) =>
      /<main.*<\/main>/s.exec((await visitor.get('/')).text)?.[0] ?? '';
    const offered = await main(browser());
    expect(offered).toContain('href="/sign-up"');
    expect(offered).toContain('href="/sign-in"');
    const ada = await member();
    const shown = await main(await signedIn(ada));
    expect(shown).not.toContain('href="/sign-');
    expect(shown).toContain(ada.name);
  });

  test.each([
    ['/settings?s=a%20b&x', '/settings?s=a%20b&x'],
    ['/settings.data?s=a%20b&x&_routes=accounts%2Froutes%2Fsettings', '/settings?s=a%20b&x'],
  ])('a signed-out visitor of %s returns to its query byte for byte', async (path, back) => {
    const { location, text } = await browser().get(path);
    expect(location ?? text).toContain(`/sign-in?return=${encodeURIComponent(back)}`);
  });

  test.each([
    'https://evil.test/',
    '//evil.test',
    '/.//evil.test',
    String.raw`/\evil.test`,
    'evil',
    '/%ff',
    '/%5cevil.test',
    '/api/account-export',
    '/__auth/logout',
  ])('a return path of %s stays on the site, and leads to a page', async (path) => {
    const { email, password } = await member();
    const entered = await browser().post('/sign-in', { email, password, return: path });
    expect([entered.status, entered.location]).toEqual([303, membersPage]);
  });

  test.each([
    ['/_root.data', '/'],
    ['/settings.data?s=a%20b&_routes=accounts%2Froutes%2Fsettings', '/settings?s=a%20b'],
  ])('a return path of the data %s leads to its page', async (path, page) => {
    const { email, password } = await member();
    const entered = await browser().post('/sign-in', { email, password, return: path });
    expect([entered.status, entered.location]).toEqual([303, page]);
  });

  test('signing out also ends the session on the server', async () => {
    const visitor = await signedIn(await member());
    const kept = new Map(visitor.cookies);
    const left = await visitor.post('/sign-out', {});
    expect([left.status, left.location]).toEqual([303, '/']);
    expect(visitor.cookies.size).toBe(0);
    expect((await visitor.get('/settings')).status).toBe(302);

    for (const [name, value] of kept) visitor.cookies.set(name, value);
    expect((await visitor.get('/settings')).status).toBe(302);
  });

  test('errors are shown at their fields, and passwords are not sent back', async () => {
    const visitor = browser();
    const wrong = await visitor.post('/sign-up', {
      name: '',
      email: 'nobody',
      password: 'too-short',
    });
    expect(wrong.status).toBe(422);
    for (const words of [
      'Enter a name.',
      'Enter an e-mail address',
      'Use at least 10 characters.',
    ]) {
      expect(wrong.text).toContain(words);
    }
    expect(wrong.text).toContain('value="nobody"');
    expect(wrong.text).not.toContain('too-short');
    expect(await allMails()).toEqual([]);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is refused by each form', async (method) => {
    for (const path of ['/sign-in', '/sign-up', '/sign-out', '/reset-password', '/verify-email']) {
      expect([path, (await browser().send(path, { method })).status]).toEqual([path, 405]);
    }
  });

  test('a body that is not a form is refused', async () => {
    const response = await browser().send('/sign-in', { method: 'POST', body: '{}' });
    expect(response.status).toBe(400);
  });
}
