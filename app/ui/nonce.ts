/** The nonce of this page's scripts. Known to the server alone: a browser hides it from scripts. */
import { createContext, useContext } from 'react';

export const NonceContext = createContext<string | undefined>(undefined);

export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
