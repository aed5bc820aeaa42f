/**
 * Who the visitor is, for every page. The server says it with the page; the browser confirms it with
 * `/api/user` before any control works (W16), and asks again when a session may have ended.
 */
import { useMatches, useNavigation, useRevalidator } from '@remix-run/react';
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
import { profileKeyHeader, toSafeProfileInBrowser, type UserState } from '~/platform/profile';
import { loadPlatformUser } from '~/platform/user';
import { isSites, keepAsking, Outage } from './connection';
import { useConnection } from './connection-notice';

/**
 * - `checking`: the server saw a signed-in visitor, and the browser has not confirmed it yet
 * - `changing`: server and browser name two people; what the page shows may be the other one's
 */
export type UserView = UserState | { status: 'checking' | 'changing' };

interface UserContext {
  view: UserView;
  /** Asks `/api/user` now, as after an answer that says the session has ended. */
  refresh: () => void;
  /**
   * Asks the loaders again, as soon as nothing is being loaded. Whatever does so by itself does it by
   * this one function: of two that begin at once, each would abort the other's.
   */
  reload: () => void;
}

const Context = createContext<UserContext>({
  view: { status: 'unavailable' },
  refresh: () => undefined,
  reload: () => undefined,
});

/** Milliseconds between looks at `/api/user` while the page is in view. */
const interval = 30_000;

/** The same while the platform does not answer. */
const soon = 1_000;

export interface UserProviderProps {
  /** What the root loader said. */
  loaded: UserState;
  children: ReactNode;
}

export function UserProvider({ loaded, children }: UserProviderProps) {
  const [confirmed, setConfirmed] = useState<UserState | null>(null);
  const looking = useRef<AbortController>();
  /** Whether a look met an outage, of which the loaders may have missed the end. */
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
    // Without a connection the last word stands: the server checks whatever is sent (W19).
    keepAsking(look, signal).then(
      (state) => {
        looking.current = undefined;
        setConfirmed(state);
        // Again at each look, not once: the loaders may have met a platform that was still down.
        reloading.current = keyOf(state) !== heard.current;
        if (reloading.current || lost.current) reload();
        lost.current = false;
      },
      () => undefined,
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
        // One that waits for a slow platform would never be heard if the next took its place.
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

  // A submission without an answer: look until the site is back, and the loaders hear of it.
  const { sending } = useConnection();
  useEffect(() => {
    if (sending) refresh();
  }, [sending, refresh]);

  const value = useMemo(() => ({ view, refresh, reload }), [view, refresh, reload]);
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

/** Starting anew would abort what is being loaded, and Remix complains of that in the console. */
function useReload(): () => void {
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

async function askUser(): Promise<UserState | Outage> {
  try {
    let key: string | null = null;
    const profile = await loadPlatformUser(({ headers }) => {
      key = headers.get(profileKeyHeader);
    });
    return profile === null
      ? { status: 'signed-out' }
      : { status: 'signed-in', profile: await toSafeProfileInBrowser(profile, key) };
  } catch (error) {
    const answer = error instanceof Error && error.cause instanceof Response ? error.cause : null;
    return answer && isSites(answer) ? { status: 'unavailable' } : new Outage(answer);
  }
}

function keyOf(state: UserState): string {
  return state.status === 'signed-in' ? `signed-in ${state.profile.key}` : state.status;
}
