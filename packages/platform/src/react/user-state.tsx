/**
 * Who the visitor is, for every page. The server sends it with the page; the browser confirms it
 * with `/api/user` before any control is enabled (W16), and checks again when the session may have
 * ended.
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
import { toSafeProfileInBrowser, type SafeProfile, type UserState } from '../profile.ts';
import { loadPlatformUser } from '../browser/user.ts';
import { isFromSite, Outage, retryThroughOutages } from '@gatehouse/frame/browser';
import { SessionProvider, useConnection, useReload } from '@gatehouse/frame/react';

/**
 * - `checking`: signed in according to the server, not yet confirmed by the browser; or the server has not asked
 * - `changing`: server and browser disagree on who is signed in, so the page may show another
 *   account's data
 * - `unavailable`: with the profile that the browser was last told, if any
 */
export type UserView =
  | Exclude<UserState, { status: 'unavailable' }>
  | { status: 'unavailable'; profile?: SafeProfile }
  | { status: 'changing' };

interface UserContext {
  view: UserView;
  /** The key of the account for which the page was loaded; empty if the server knows none. */
  loadedFor: string;
  /** Checks `/api/user` now, as after a response that says the session has ended. */
  refresh: () => void;
}

const Context = createContext<UserContext>({
  view: { status: 'unavailable' },
  loadedFor: '',
  refresh: () => undefined,
});

/** Milliseconds between checks of `/api/user` while the page is visible. */
const interval = 30_000;

/** Milliseconds between checks while the platform is not responding. */
const outageInterval = 1_000;

export interface UserProviderProps {
  /** The state from the root loader. */
  loaded: UserState;
  children: ReactNode;
}

export function UserProvider({ loaded, children }: UserProviderProps) {
  const [confirmed, setConfirmed] = useState<UserState | null>(null);
  const pendingCheck = useRef<AbortController>(undefined);
  /** Whether a check met an outage. The loaders must then run again, even for the same visitor. */
  const lost = useRef(false);
  /** Whether a reload is in progress because of the last check's result. */
  const reloading = useRef(false);

  // The latest state from the loaders.
  const loadedKey = keyOf(loaded);
  const serverKey = useRef(loadedKey);
  useEffect(() => {
    serverKey.current = loadedKey;
  }, [loadedKey]);

  const reload = useReload();
  const refresh = useCallback(() => {
    // A slow response must not overwrite a newer one.
    pendingCheck.current?.abort();
    const { signal } = (pendingCheck.current = new AbortController());
    const attempt = async () => {
      const result = await requestUser();
      if (result instanceof Outage) lost.current = true;
      return result;
    };
    // During an outage the last known state stays. The server checks every operation anyway (W19).
    retryThroughOutages(attempt, signal).then(
      (state) => {
        pendingCheck.current = undefined;
        setConfirmed(state);
        // On every check, not just once: the platform may still have been down when the loaders
        // ran. A page that asked nobody has nothing of anybody's to replace.
        reloading.current = serverKey.current !== 'checking' && keyOf(state) !== serverKey.current;
        if (reloading.current || lost.current) reload();
        lost.current = false;
      },
      (error: unknown) => {
        // Aborted by a newer check, or because the page is being unloaded.
        if (!signal.aborted) reportError(error);
      },
    );
  }, [reload]);

  // Checks on mount, and when the server's state changes, since a session may have begun or ended.
  // Not after a change that a check caused: two responses that never agree would trigger each other
  // forever.
  useEffect(() => {
    if (!reloading.current) refresh();
    reloading.current = false;
  }, [refresh, loadedKey]);

  const view = useMemo(() => viewOf(loaded, confirmed), [loaded, confirmed]);
  const unavailable = view.status === 'unavailable';
  useEffect(() => {
    const refreshIfVisible = () => {
      if (document.visibilityState === 'visible') refresh();
    };
    const timer = window.setInterval(
      () => {
        // A new check aborts the previous one: a platform slower than the interval would never get
        // to respond.
        if (!pendingCheck.current) refreshIfVisible();
      },
      unavailable ? outageInterval : interval,
    );
    const restored = (event: PageTransitionEvent) => {
      if (event.persisted) refreshIfVisible();
    };
    // On unload the browser aborts requests in flight, which says nothing about the platform.
    const leave = () => {
      pendingCheck.current?.abort();
    };
    const listening = new AbortController();
    const { signal } = listening;
    for (const event of ['focus', 'online', 'offline'] as const)
      window.addEventListener(event, refreshIfVisible, { signal });
    window.addEventListener('pageshow', restored, { signal });
    window.addEventListener('pagehide', leave, { signal });
    document.addEventListener('visibilitychange', refreshIfVisible, { signal });
    return () => {
      window.clearInterval(timer);
      listening.abort();
    };
  }, [refresh, unavailable]);

  // After a submission without a response: check until the site is back, then reload.
  const { submission } = useConnection();
  useEffect(() => {
    if (submission) refresh();
  }, [submission, refresh]);

  const loadedFor = loaded.status === 'signed-in' ? loaded.profile.key : '';
  const value = useMemo(() => ({ view, loadedFor, refresh }), [view, loadedFor, refresh]);
  const person = view.status === 'signed-in' ? view.profile.key : null;
  return (
    <Context.Provider value={value}>
      <SessionProvider person={person} check={refresh}>
        {children}
      </SessionProvider>
    </Context.Provider>
  );
}

export function useUser(): Omit<UserContext, 'loadedFor'> {
  return useContext(Context);
}

/**
 * The key of the account whose form this is, for its hidden field `account`: whoever was signed in first, also when
 * another person signs in while the form is open. Empty while nobody is. `requireSameAccount` compares it.
 */
export function useAuthor(): string {
  const { view, loadedFor } = useContext(Context);
  const known = knownKey(view, loadedFor);
  const [author, setAuthor] = useState(known);
  if (!author && known) setAuthor(known);
  return author || known;
}

function knownKey(view: UserView, loadedFor: string): string {
  if (view.status === 'signed-in') return view.profile.key;
  return view.status === 'checking' ? loadedFor : '';
}

/**
 * Signed in only while server and browser agree on the person; signed out as soon as either says
 * so.
 */
export function viewOf(loaded: UserState, confirmed: UserState | null): UserView {
  if (!confirmed) return loaded.status === 'signed-in' ? { status: 'checking' } : loaded;
  if (loaded.status === 'checking') return confirmed;
  // For the same person, the server's profile is newer: every navigation loads it.
  if (keyOf(loaded) === keyOf(confirmed)) return loaded;
  if (loaded.status === 'signed-out') return loaded;
  if (confirmed.status === 'signed-out') return confirmed;
  const bothKnow = loaded.status === 'signed-in' && confirmed.status === 'signed-in';
  return bothKnow ? { status: 'changing' } : { ...confirmed, status: 'unavailable' };
}

/**
 * @throws {TypeError} outside a secure context, as `toSafeProfileInBrowser` does. That is not an
 *   outage.
 */
async function requestUser(): Promise<UserState | Outage> {
  let profile: unknown;
  try {
    profile = await loadPlatformUser();
  } catch (error) {
    const { cause } = error as Error;
    const response = cause instanceof Response ? cause : null;
    return response && isFromSite(response) ? { status: 'unavailable' } : new Outage(response);
  }
  if (profile === null) return { status: 'signed-out' };
  return { status: 'signed-in', profile: await toSafeProfileInBrowser(profile) };
}

function keyOf(state: UserState): string {
  return state.status === 'signed-in' ? `signed-in ${state.profile.key}` : state.status;
}
