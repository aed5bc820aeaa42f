/** The account whose page is open. */
import { useState } from 'react';
import type { UserView } from '@gatehouse/platform/react';

/**
 * The account whose page this is, also during an outage, when the loaders cannot tell: its uploads
 * continue and its feed stays. Empty once the session has ended, or another account is signed in as
 * far as the server or the browser knows.
 *
 * @param person the account that loaded the page; empty if the loader could not tell.
 */
export function useAccount(person: string, view: UserView): string {
  const [last, setLast] = useState('');
  const account = accountOf(person, view, last);
  if (account !== last) setLast(account);
  return account;
}

function accountOf(person: string, view: UserView, last: string): string {
  if (view.status === 'signed-in' || view.status === 'checking') return person;
  if (view.status !== 'unavailable' || !last) return '';
  const account = person || last;
  const isAnothers = view.profile !== undefined && view.profile.key !== account;
  return isAnothers ? '' : account;
}
