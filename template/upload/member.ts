import { createCookieJar, httpVisitor, type HttpVisitor } from '@gatehouse/simulator/http';
import accountsFeature from '../../e2e/flows/accounts/feature';
import type { Platform } from '../../e2e/platform';

/** Somebody with an account on the site, who is signed in to it, and to the platform as a persona. */
export async function memberOf(platform: Platform, persona: string | null): Promise<HttpVisitor> {
  const email = `${crypto.randomUUID()}@example.org`;
  const person = { name: 'Somebody', email, password: 'a long pass phrase' };
  const visitor = httpVisitor(platform, persona, undefined, createCookieJar());
  const { signUp, signIn } = accountsFeature.accounts;
  const link = async (address: string) => {
    const { links } = await platform.mailbox.next(address);
    return links.find((each) => each.includes('token=')) ?? '';
  };
  const parts = { visitor, person, mail: { link } };
  await signUp(parts);
  await signIn(parts);
  return visitor;
}
