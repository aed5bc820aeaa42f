/** Calls `/api/` from a component: a failure is a value, and never unmounts the page. */
import { useCallback, useRef, useState } from 'react';
import { requestApi, type ApiResult, type ApiRequest, type SentBy } from '../browser/api.ts';
import { useSenders } from './use-senders.ts';
import { useSessions } from './sessions.tsx';

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
  const { check } = useSessions();
  const [state, setState] = useState({ result: null as Result | null, isSending: false });
  const open = useRef<AbortController>(undefined);

  const forget = () => {
    setState({ result: null, isSending: false });
  };
  const stop = useCallback(() => {
    open.current?.abort();
  }, []);
  useSenders(forget, stop);

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
