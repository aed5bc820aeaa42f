/**
 * Who is signed in on the open page, for components that work with any identity: they only need to
 * know whether it is still the same person.
 */
import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react';

export interface Sessions {
  /**
   * A key for each identity's person, in the order of the identities; null while unknown or signed
   * out.
   */
  people: readonly (string | null)[];
  /** Checks again who is signed in, as after a response that says a session has ended. */
  check: () => void;
}

const Context = createContext<Sessions>({ people: [], check: () => undefined });

export interface SessionProviderProps {
  person: string | null;
  /** Whether the page was made for everybody: once it is open, it checks who is signed in. */
  isUnknown?: boolean;
  check: () => void;
  children: ReactNode;
}

/** Adds an identity. Nestable: a page may have two of them. */
export function SessionProvider({
  person,
  isUnknown = false,
  check,
  children,
}: SessionProviderProps) {
  const outer = useContext(Context);
  useEffect(() => {
    if (isUnknown) check();
  }, [isUnknown, check]);
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
