/** Revalidates the open page's loaders. Everything that does so automatically goes through here. */
import { useMatches, useNavigation, useRevalidator } from '@remix-run/react';
import { createContext, useCallback, useContext, useEffect, useRef, type ReactNode } from 'react';

const Context = createContext<() => void>(() => undefined);

/** Wraps every page, once. */
export function ReloadProvider({ children }: { children: ReactNode }) {
  return <Context.Provider value={useOneReload()}>{children}</Context.Provider>;
}

/**
 * @returns a function that revalidates once nothing is loading. Shared by the whole page, because
 *   two concurrent revalidations would abort each other.
 */
export function useReload(): () => void {
  return useContext(Context);
}

/**
 * Waits for idle: revalidating earlier would abort the load in progress, and Remix warns about
 * that.
 */
function useOneReload(): () => void {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const matches = useMatches();
  const idle = state === 'idle' && navigation.state === 'idle';
  const now = useRef({ idle, due: false });
  const settle = useCallback(() => {
    if (!now.current.due || !now.current.idle) return;
    // `idle` turns false only on the next render. Until then, a second call would start another
    // revalidation.
    now.current = { idle: false, due: false };
    revalidate();
  }, [revalidate]);
  useEffect(() => {
    now.current.idle = idle;
    settle();
    // `matches` changes with every load, so this also runs if no loading state was rendered in
    // between.
  }, [idle, matches, settle]);
  return useCallback(() => {
    now.current.due = true;
    settle();
  }, [settle]);
}
