/** Accounts for the tests of a product: `const ada = await createMember(accounts)`. */
import type { Accounts } from '../accounts.ts';
import type { NewAccount } from '../sign-up.ts';

/** A signed-in visitor with an account. */
export interface Member extends NewAccount {
  /** The account's id, for the form field `account` and the column `account_id`. */
  account: string;
  /** The `set-cookie` headers of the session, for `site.browser(cookies)`. */
  cookies: string[];
}

let count = 0;

/**
 * Signs up a new account, and signs in. It sends no mail: the site of the test has none (`SMTP_URL` is unset), so the address is
 * not confirmed.
 *
 * @param accounts the module `app/accounts.server.ts`.
 */
export async function createMember(
  accounts: Pick<Accounts, 'signUp' | 'signIn' | 'requireAccount'>,
  given: Partial<NewAccount> = {},
): Promise<Member> {
  count++;
  const person = {
    name: `Member ${count}`,
    email: `member${count}@example.org`,
    password: `a long pass phrase ${count}`,
    ...given,
  };
  // Sign-ups from one address are limited.
  const address = `198.51.100.${count % 256}`;
  const signedUp = await accounts.signUp(person, address);
  if (!signedUp.ok || signedUp.isMailed) {
    throw new Error('A member is created on a site without mail: unset SMTP_URL in this test.');
  }
  const page = 'https://site.example/';
  const signedIn = await accounts.signIn(new Request(page), person, address);
  if (!signedIn.ok) throw new Error(`${person.email} cannot sign in: is it another member's?`);
  const cookies = signedIn.headers.getSetCookie();
  const cookie = cookies.map((value) => value.split(';')[0]).join('; ');
  const request = new Request(page, { headers: { cookie } });
  const { account } = await accounts.requireAccount({ request, context: {} });
  return { ...person, account: account.id, cookies };
}
