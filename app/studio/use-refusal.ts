/** Brings the page up to date after the server refused an order. */
import { useReload, useSessions } from '@gatehouse/frame/react';
import type { PlatformErrorCode } from '@gatehouse/platform';

export function useRefusal(): (code: PlatformErrorCode | null) => void {
  const { check } = useSessions();
  const reload = useReload();
  return (code) => {
    if (code === 'unauthorized' || code === 'account_changed') check();
    // The balance on the page is out of date. Remix loads nothing after an error status.
    if (code === 'insufficient_credits') reload();
  };
}
