/** Asks the loaders of the open page again. Whatever does so by itself does it here. */
import { useMatches, useNavigation, useRevalidator } from '@remix-run/react';
import { createContext, useCallback, useContext, useEffect, useRef, type ReactNode } from 'react';

const Context = createContext<() => void>(() => undefined);

/** Around every page, once. */
export function ReloadProvider({ children }: { children: ReactNode }) {
  return <Context.Provider value={useOneReload()}>{children}</Context.Provider>;
}

/**
 * @returns asks the loaders again, as soon as nothing is being loaded. One function for the whole page: of two
 *   reloads that begin at once, each would abort the other.
 */
export function useReload(): () => void {
  return useContext(Context);
}

/** Starting anew would abort what is being loaded, and Remix complains of that in the console. */
function useOneReload(): () => void {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const matches = useMatches();
  const idle = state === 'idle' && navigation.state === 'idle';
  const now = useRef({ idle, due: false });
  const settle = useCallback(() => {
    if (!now.current.due || !now.current.idle) return;
    // The state that says so is rendered only later: until then another would start anew.
    now.current = { idle: false, due: false };
    revalidate();
  }, [revalidate]);
  useEffect(() => {
    now.current.idle = idle;
    settle();
    // What was loaded is new each time: idle again, even where no loading was rendered between.
  }, [idle, matches, settle]);
  return useCallback(() => {
    now.current.due = true;
    settle();
  }, [settle]);
}
