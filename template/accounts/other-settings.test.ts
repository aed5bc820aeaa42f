/** Sessions and links of a site with other settings: a changed key, a page that no page frames. */
import { expect, test, vi } from 'vitest';
import type * as Env from '~/env.server';
import { mailedToken, startSiteWithAccounts } from '~/testing/site-with-accounts';

const [older, newer, other] = ['a', 'b', 'c'].map((letter) => letter.repeat(44));
const env = vi.hoisted((): { given: Record<string, unknown> } => ({ given: {} }));

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));
vi.mock('~/env.server', async (original) => {
  const real = await original<typeof Env>();
  return { ...real, siteEnv: () => ({ ...real.siteEnv(), ...env.given }) };
});

const { browser, person, member, signedIn } = await startSiteWithAccounts();

test('a confirmation link that the previous key signed still confirms, and no longer once that key is gone', async () => {
  env.given = { authSecrets: [older] };
  const [ada, bob] = [person(), person()];
  for (const person of [ada, bob]) await browser().post('/sign-up', { ...person });
  const tokens = [await mailedToken(ada.email), await mailedToken(bob.email)] as const;
  const confirm = (token: string) => browser().post('/verify-email', { intent: 'confirm', token });

  env.given = { authSecrets: [newer, older] };
  expect((await confirm(tokens[0])).text).toContain('has been confirmed');
  await signedIn(ada);
  env.given = { authSecrets: [newer] };
  expect((await confirm(tokens[1])).status).toBe(422);
});

test('where no page may frame the site, sign-in and a changed password set a Lax cookie that is not partitioned', async () => {
  env.given = { authSecrets: [other], frameAncestors: ["'none'"] };
  const ada = await member();
  const visitor = browser();
  const entered = await visitor.signIn(ada);
  const changed = await visitor.post('/settings', {
    intent: 'password',
    account: await visitor.accountId(),
    current: ada.password,
    password: 'another long pass phrase',
  });
  for (const { setCookies } of [entered, changed]) {
    expect(setCookies).toHaveLength(1);
    const [, ...attributes] = (setCookies[0] ?? '').split('; ');
    expect(attributes.sort()).toEqual(
      ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure'].sort(),
    );
  }
});
