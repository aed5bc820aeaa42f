/** The idempotency key of an order: submitting it repeatedly costs once. */
import { useRef } from 'react';

/**
 * @returns `keyOf` gives an order's key, which stays the same for the same order until `taken` is
 *   called.
 */
export function useOrderKey(): { keyOf: (order: string) => string; taken: () => void } {
  const last = useRef<{ order: string; key: string } | null>(null);
  return {
    keyOf(order) {
      if (last.current?.order !== order) last.current = { order, key: crypto.randomUUID() };
      return last.current.key;
    },
    taken() {
      last.current = null;
    },
  };
}
