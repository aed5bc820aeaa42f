/** A form or a request of one account's page, sent while another is signed in. */
import { expect, test } from 'vitest';
import { toSafeProfile } from '../profile.ts';
import { requireSameAccount } from './same-account.ts';
import { PlatformSdkError } from './sdk/sdk-error.ts';

const user = toSafeProfile({ id: 'u1' });
const nameless = toSafeProfile(null);

const formOf = (...accounts: string[]) => {
  const form = new FormData();
  for (const account of accounts) form.append('account', account);
  return form;
};
const requestOf = (query: string) => new Request(`https://site.example/api/posts${query}`);

test('what the visitor’s own page sends is accepted [W13]', () => {
  requireSameAccount(user, formOf(user.key));
  requireSameAccount(user, requestOf(`?${new URLSearchParams({ account: user.key })}`));
});

test.each([
  ['a form of another account', formOf('somebody else')],
  ['a form of nobody, loaded signed out', formOf('')],
  ['a form that names no account', formOf()],
  ['a form that names two', formOf(user.key, user.key)],
  ['a request of another account', requestOf('?account=somebody-else')],
  ['a request of nobody', requestOf('?account=')],
  ['a request that names no account', requestOf('')],
])('%s is refused with 409 [W13]', (_, sent) => {
  expect(() => {
    requireSameAccount(user, sent);
  }).toThrow(PlatformSdkError);
  expect(() => {
    requireSameAccount(user, sent);
  }).toThrow(expect.objectContaining({ status: 409, code: 'account_changed' }));
});

test('a profile that identifies nobody has no key to compare, and is refused another’s page [W08]', () => {
  requireSameAccount(nameless, formOf(''));
  requireSameAccount(nameless, formOf());
  expect(() => {
    requireSameAccount(nameless, formOf(user.key));
  }).toThrow(PlatformSdkError);
});
