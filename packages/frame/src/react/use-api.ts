/** Calls `/api/` from a component: a failure is a value, and never unmounts the page. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { askApi, type ApiAnswer, type ApiQuestion, type SentBy } from '../browser/api.ts';
import { useSessions, type Sessions } from './sessions.tsx';

export interface UseApi<T> {
  /**
   * Sends a request, and aborts the previous one if it is still open. After a 401, the page checks
   * who is signed in.
   *
   * @throws {Error} only for an address on another origin or outside `/api/`.
   */
  ask: (address: string, question?: Omit<ApiQuestion, 'signal'>) => Promise<ApiAnswer<T>>;
  /** The last result, until the next one arrives or a different person is signed in. */
  answer: ApiAnswer<T> | null;
  asking: boolean;
}

/** `useApi<typeof loader>()`, with the resource route's loader or action. */
export function useApi<Route extends (...call: never[]) => unknown>(): UseApi<SentBy<Route>> {
  type Answer = ApiAnswer<SentBy<Route>>;
  const { people, check } = useSessions();
  const [state, setState] = useState({ answer: null as Answer | null, asking: false });
  const open = useRef<AbortController>();

  // A response belongs to whoever asked. While nobody is known to be signed in, assume it is still
  // them.
  const [asker, setAsker] = useState(people);
  const now = people.map((person, index) => person ?? asker[index] ?? null);
  if (now.some((person, index) => person !== asker[index])) {
    setAsker(now);
    if (isSomebodyElse(asker, now)) setState({ answer: null, asking: false });
  }
  const askedBy = useRef(asker);
  useEffect(() => {
    if (isSomebodyElse(askedBy.current, asker)) open.current?.abort();
    askedBy.current = asker;
  }, [asker]);

  useEffect(
    () => () => {
      open.current?.abort();
    },
    [],
  );

  const ask = useCallback<UseApi<SentBy<Route>>['ask']>(
    async (address, question) => {
      const controller = new AbortController();
      const { signal } = controller;
      const asked = askApi<SentBy<Route>>(address, { ...question, signal });
      open.current?.abort();
      open.current = controller;
      setState(({ answer }) => ({ answer, asking: true }));
      const answer = await asked;
      if (signal.aborted) return answer;
      setState({ answer, asking: false });
      if (!answer.ok && answer.status === 401) check();
      return answer;
    },
    [check],
  );
  return { ...state, ask };
}

function isSomebodyElse(before: Sessions['people'], now: Sessions['people']): boolean {
  return before.some((person, index) => person !== null && person !== now[index]);
}
