/** Revalidates the open page's loaders. Everything that does so automatically goes through here. */
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  type ReactNode,
} from 'react';
import type { PageFramework, PageRouter } from '../framework/framework.ts';

const Context = createContext({
  reload: (): void => undefined,
  useRouter: (): Pick<PageRouter, 'idle'> => ({ idle: false }),
});

export interface ReloadProviderProps {
  /** `remix` of `@gatehouse/frame/remix`. */
  framework: PageFramework;
  children: ReactNode;
}

/** Wraps every page, once. */
export function ReloadProvider({ framework: { useRouter }, children }: ReloadProviderProps) {
  const reload = useOneReload(useRouter());
  const value = useMemo(() => ({ reload, useRouter }), [reload, useRouter]);
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

/**
 * @returns a function that revalidates once nothing is loading. Shared by the whole page, because
 *   two concurrent revalidations would abort each other.
 */
export function useReload(): () => void {
  return useContext(Context).reload;
}

/** Whether nothing is loading. */
export function useIdle(): boolean {
  const { useRouter } = useContext(Context);
  return useRouter().idle;
}

/**
 * Waits for idle: revalidating earlier would abort the load in progress, and the
 * framework may warn about that.
 */
function useOneReload({ idle, loaded, revalidate }: PageRouter): () => void {
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
    // `loaded` changes with every load, so this also runs if no loading state was rendered in
    // between.
  }, [idle, loaded, settle]);
  return useCallback(() => {
    now.current.due = true;
    settle();
  }, [settle]);
}
