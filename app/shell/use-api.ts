/** The way to call `/api/` from a page: a small question whose failure is a value and never unmounts the page. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { askApi, type ApiAnswer, type ApiQuestion, type SentBy } from '~/frame/api';
import { useSessions, type Sessions } from './sessions';

export interface UseApi<T> {
  /**
   * Asks, and aborts the question before if that is still open. After a 401 the page checks who its visitor is.
   *
   * @throws {Error} only for an address of another origin or outside `/api/`.
   */
  ask: (address: string, question?: Omit<ApiQuestion, 'signal'>) => Promise<ApiAnswer<T>>;
  /** The last answer, until the next one is there, or another person is signed in. */
  answer: ApiAnswer<T> | null;
  asking: boolean;
}

/** `useApi<typeof loader>()`, with the loader or action of the resource route that is asked. */
export function useApi<Route extends (...call: never[]) => unknown>(): UseApi<SentBy<Route>> {
  type Answer = ApiAnswer<SentBy<Route>>;
  const { people, check } = useSessions();
  const [state, setState] = useState({ answer: null as Answer | null, asking: false });
  const open = useRef<AbortController>();

  // An answer belongs to whoever asked. Until somebody else is known to be signed in, that is still them.
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
