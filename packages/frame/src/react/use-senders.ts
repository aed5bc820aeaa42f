/** What was asked for belongs to whoever asked: it ends when a different person is signed in. */
import { useEffect, useRef, useState } from 'react';
import { useSessions, type Sessions } from './sessions.tsx';

/**
 * While nobody is known to be signed in, assumes that it is still them.
 *
 * @param forget called while rendering: sets state only.
 * @param stop called after that.
 */
export function useSenders(forget: () => void, stop: () => void): void {
  const { people } = useSessions();
  const [senders, setSenders] = useState(people);
  const now = people.map((person, index) => person ?? senders[index] ?? null);
  if (now.some((person, index) => person !== senders[index])) {
    setSenders(now);
    if (isSomebodyElse(senders, now)) forget();
  }
  const last = useRef({ senders, stop });
  useEffect(() => {
    if (isSomebodyElse(last.current.senders, senders)) stop();
    last.current = { senders, stop };
  }, [senders, stop]);
  useEffect(
    () => () => {
      last.current.stop();
    },
    [],
  );
}

function isSomebodyElse(before: Sessions['people'], now: Sessions['people']): boolean {
  return before.some((person, index) => person !== null && person !== now[index]);
}
