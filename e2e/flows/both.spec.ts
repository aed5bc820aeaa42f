/**
 * A site with both kinds of accounts: each is labelled, and signing out of one does not affect the
 * other (W29).
 */
import { expect, openMenuOf, test } from '../fixtures';
import personas from '../personas.json' with { type: 'json' };
import { newPerson, signIn, signUpByHttp } from './accounts/person';

const somebody = personas.find(({ profile }) => profile.name);

test('signing out of one kind of account does not affect the other [W29]', async ({
  framed,
  signedIn,
  platform,
}) => {
  const { id = '', profile: { name = '' } = {} } = somebody ?? {};
  await signedIn(id, '/');
  const person = newPerson('Somebody Else');
  await signUpByHttp(platform, person);
  await signIn(framed, person);
  const platformAccount = framed.site.getByRole('group', { name: 'Platform account' });
  const siteAccount = framed.site.getByRole('group', { name: 'Site account' });
  await expect(platformAccount.getByText(name).first()).toBeVisible();
  await expect(siteAccount.getByText(person.name).first()).toBeVisible();

  await openMenuOf(siteAccount, 'Sign out');
  await siteAccount.getByRole('button', { name: 'Sign out' }).click();
  await expect(siteAccount.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(platformAccount.getByText(name).first()).toBeVisible();

  await signIn(framed, person);
  await openMenuOf(platformAccount, 'Sign out');
  await platformAccount.getByRole('button', { name: 'Sign out' }).click();
  await expect(platformAccount.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(siteAccount.getByText(person.name).first()).toBeVisible();
});
