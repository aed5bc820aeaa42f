/** Brings the page up to date after the server refused what it sent. The form stays, with what was typed. */
import { useCallback, useEffect, useRef } from 'react';
import { useReload, useSessions } from '@gatehouse/frame/react';

/**
 * @param response the action's, with the code of its refusal. Each response counts once.
 * @returns the same for a code that came otherwise, as by `useApi`.
 */
export function useRefusal(
  response?: { code?: string | null } | null,
): (code: string | null) => void {
  const { check } = useSessions();
  const reload = useReload();
  const latest = useRef({ check, reload });
  useEffect(() => {
    latest.current = { check, reload };
  });
  const refused = useCallback((code: string | null) => {
    if (code === 'unauthorized' || code === 'account_changed') latest.current.check();
    // The balance on the page is out of date. The framework loads nothing after an error status.
    if (code === 'insufficient_credits') latest.current.reload();
  }, []);
  useEffect(() => {
    refused(response?.code ?? null);
  }, [response, refused]);
  return refused;
}
