/** Calls `/api/` from a component: a failure is a value, and never unmounts the page. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { requestApi, type ApiResult, type ApiRequest, type SentBy } from '../browser/api.ts';
import { useSessions, type Sessions } from './sessions.tsx';

export interface UseApi<T> {
  /**
   * Sends a request, and aborts the previous one if it is still open. After a 401, the page checks
   * who is signed in.
   *
   * @throws {Error} only for an address on another origin or outside `/api/`.
   */
  send: (address: string, request?: Omit<ApiRequest, 'signal'>) => Promise<ApiResult<T>>;
  /** The last result, until the next one arrives or a different person is signed in. */
  result: ApiResult<T> | null;
  isSending: boolean;
}

/** `useApi<typeof loader>()`, with the resource route's loader or action. */
export function useApi<Route extends (...call: never[]) => unknown>(): UseApi<SentBy<Route>> {
  type Result = ApiResult<SentBy<Route>>;
  const { people, check } = useSessions();
  const [state, setState] = useState({ result: null as Result | null, isSending: false });
  const open = useRef<AbortController>();

  // A response belongs to whoever asked. While nobody is known to be signed in, assume it is still
  // them.
  const [senders, setSenders] = useState(people);
  const now = people.map((person, index) => person ?? senders[index] ?? null);
  if (now.some((person, index) => person !== senders[index])) {
    setSenders(now);
    if (isSomebodyElse(senders, now)) setState({ result: null, isSending: false });
  }
  const lastSenders = useRef(senders);
  useEffect(() => {
    if (isSomebodyElse(lastSenders.current, senders)) open.current?.abort();
    lastSenders.current = senders;
  }, [senders]);

  useEffect(
    () => () => {
      open.current?.abort();
    },
    [],
  );

  const send = useCallback<UseApi<SentBy<Route>>['send']>(
    async (address, request) => {
      const controller = new AbortController();
      const { signal } = controller;
      const pending = requestApi<SentBy<Route>>(address, { ...request, signal });
      open.current?.abort();
      open.current = controller;
      setState(({ result }) => ({ result, isSending: true }));
      const result = await pending;
      if (signal.aborted) return result;
      setState({ result, isSending: false });
      if (!result.ok && result.status === 401) check();
      return result;
    },
    [check],
  );
  return { ...state, send };
}

function isSomebodyElse(before: Sessions['people'], now: Sessions['people']): boolean {
  return before.some((person, index) => person !== null && person !== now[index]);
}
