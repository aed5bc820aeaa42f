/**
 * Who the visitor is, for every page. The server says it with the page; the browser confirms it with
 * `/api/user` before any control works (W16), and asks again when a session may have ended.
 */
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ReactNode } from 'react';
import { toSafeProfileInBrowser, type UserState } from '~/platform/profile';
import { loadPlatformUser } from '~/platform/user';
import { isFromSite, Outage, retryUntilAnswered } from '../connection/connection';
import { useConnection } from '../connection/connection-notice';
import { useReload } from '../reload';
import { SessionProvider } from '../sessions';

/**
 * - `checking`: the server saw a signed-in visitor, and the browser has not confirmed it yet
 * - `changing`: server and browser name two people; what the page shows may be the other one's
 */
export type UserView = UserState | { status: 'checking' | 'changing' };

interface UserContext {
  view: UserView;
  /** Asks `/api/user` now, as after an answer that says the session has ended. */
  refresh: () => void;
}

const Context = createContext<UserContext>({
  view: { status: 'unavailable' },
  refresh: () => undefined,
});

/** Milliseconds between looks at `/api/user` while the page is in view. */
const interval = 30_000;

/** Milliseconds between looks while the platform does not answer. */
const soon = 1_000;

export interface UserProviderProps {
  /** What the root loader said. */
  loaded: UserState;
  children: ReactNode;
}

export function UserProvider({ loaded, children }: UserProviderProps) {
  const [confirmed, setConfirmed] = useState<UserState | null>(null);
  const looking = useRef<AbortController>();
  /** Whether a look met an outage: the loaders must then run again, even for the same person. */
  const lost = useRef(false);
  /** Whether the loaders run again because of what the last look heard. */
  const reloading = useRef(false);

  // What the loaders have heard.
  const loadedKey = keyOf(loaded);
  const heard = useRef(loadedKey);
  useEffect(() => {
    heard.current = loadedKey;
  }, [loadedKey]);

  const reload = useReload();
  const refresh = useCallback(() => {
    // A slow answer must not undo a newer one.
    looking.current?.abort();
    const { signal } = (looking.current = new AbortController());
    const look = async () => {
      const answer = await askUser();
      if (answer instanceof Outage) lost.current = true;
      return answer;
    };
    // During an outage the last answer counts. The server checks every operation anyway (W19).
    retryUntilAnswered(look, signal).then(
      (state) => {
        looking.current = undefined;
        setConfirmed(state);
        // At each look, not just once: the platform may still have been down when the loaders ran.
        reloading.current = keyOf(state) !== heard.current;
        if (reloading.current || lost.current) reload();
        lost.current = false;
      },
      (error: unknown) => {
        // When aborted, a newer look is under way, or the page is being left.
        if (!signal.aborted) reportError(error);
      },
    );
  }, [reload]);

  // At first, and again when the server's word changes: it may have seen a session end or begin. A
  // change that a look brought about needs no other: two answers that never agree would chase each
  // other without end.
  useEffect(() => {
    if (!reloading.current) refresh();
    reloading.current = false;
  }, [refresh, loadedKey]);

  const view = useMemo(() => viewOf(loaded, confirmed), [loaded, confirmed]);
  const unavailable = view.status === 'unavailable';
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') refresh();
    };
    const timer = window.setInterval(
      () => {
        // A new look aborts the one before: a platform slower than the interval would never be heard.
        if (!looking.current) look();
      },
      unavailable ? soon : interval,
    );
    const restored = (event: PageTransitionEvent) => {
      if (event.persisted) look();
    };
    // The browser breaks off what is still asked as it leaves the page: that tells nothing of the platform.
    const leave = () => {
      looking.current?.abort();
    };
    const events = ['focus', 'online', 'offline'] as const;
    for (const event of events) window.addEventListener(event, look);
    window.addEventListener('pageshow', restored);
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.clearInterval(timer);
      for (const event of events) window.removeEventListener(event, look);
      window.removeEventListener('pageshow', restored);
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', look);
    };
  }, [refresh, unavailable]);

  // After a submission without an answer: look until the site is back, then run the loaders.
  const { submission } = useConnection();
  useEffect(() => {
    if (submission) refresh();
  }, [submission, refresh]);

  const value = useMemo(() => ({ view, refresh }), [view, refresh]);
  const person = view.status === 'signed-in' ? view.profile.key : null;
  return (
    <Context.Provider value={value}>
      <SessionProvider person={person} check={refresh}>
        {children}
      </SessionProvider>
    </Context.Provider>
  );
}

export function useUser(): UserContext {
  return useContext(Context);
}

/** Signed in only while server and browser name the same person; signed out as soon as one says so. */
export function viewOf(loaded: UserState, confirmed: UserState | null): UserView {
  if (!confirmed) return loaded.status === 'signed-in' ? { status: 'checking' } : loaded;
  // The server's profile is the newer of two of one person: every navigation brings it.
  if (keyOf(loaded) === keyOf(confirmed)) return loaded;
  const said = [loaded.status, confirmed.status];
  if (said.includes('signed-out')) return { status: 'signed-out' };
  if (said.includes('unavailable')) return { status: 'unavailable' };
  return { status: 'changing' };
}

/** @throws {TypeError} outside a secure context, as `toSafeProfileInBrowser` does. That is no outage. */
async function askUser(): Promise<UserState | Outage> {
  let profile: unknown;
  try {
    profile = await loadPlatformUser();
  } catch (error) {
    const answer = error instanceof Error && error.cause instanceof Response ? error.cause : null;
    return answer && isFromSite(answer) ? { status: 'unavailable' } : new Outage(answer);
  }
  if (profile === null) return { status: 'signed-out' };
  return { status: 'signed-in', profile: await toSafeProfileInBrowser(profile) };
}

function keyOf(state: UserState): string {
  return state.status === 'signed-in' ? `signed-in ${state.profile.key}` : state.status;
}
