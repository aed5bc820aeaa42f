/**
 * The nonce of this page's scripts. Available only on the server: browsers hide it from scripts.
 */
import { createContext, useContext } from 'react';

export const NonceContext = createContext<string | undefined>(undefined);

export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
