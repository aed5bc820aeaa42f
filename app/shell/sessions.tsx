/**
 * Who is signed in to the open page, as far as parts of it must know that work with any identity: who it is does
 * not matter to them, only whether it is still the same person.
 */
import { createContext, useContext, useMemo, type ReactNode } from 'react';

export interface Sessions {
  /** A key of each identity's person, in the order of the identities; null while nobody is known to be signed in. */
  people: readonly (string | null)[];
  /** Looks again at who is signed in, as after an answer that says that a session has ended. */
  check: () => void;
}

const Context = createContext<Sessions>({ people: [], check: () => undefined });

export interface SessionProviderProps {
  person: string | null;
  check: () => void;
  children: ReactNode;
}

/** Adds an identity. One provider within another: a page may have two of them. */
export function SessionProvider({ person, check, children }: SessionProviderProps) {
  const outer = useContext(Context);
  const value = useMemo(
    () => ({
      people: [...outer.people, person],
      check: () => {
        outer.check();
        check();
      },
    }),
    [outer, person, check],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

export function useSessions(): Sessions {
  return useContext(Context);
}
