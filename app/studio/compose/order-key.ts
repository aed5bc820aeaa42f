/** The key that lets the same order cost once, however often it is sent. */
import { useRef } from 'react';

/**
 * @returns gives the key of an order: the same for the same order until it was taken, and a new one for any other.
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
