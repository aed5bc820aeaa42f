/** Parts of a page that a load may lack, because the platform was slow (`withinDeadline`). */
import { useState } from 'react';

/** @returns what was loaded, or what was loaded last for the same account while it is null. */
export function useLastKnown<T>(loaded: T | null, account: string): T | null {
  const [last, setLast] = useState({ loaded, account });
  const isSame = last.account === account;
  if (!isSame || (loaded !== null && loaded !== last.loaded)) setLast({ loaded, account });
  return loaded ?? (isSame ? last.loaded : null);
}
