/**
 * A page for tests, whatever its framework: the root loader's data, the responses of `/api/user`, and outages in between.
 */
import { ReloadProvider, type ReloadProviderProps } from '@gatehouse/frame/react';
import type { PageRoutes, SentData, StubHandler } from '@gatehouse/frame/remix/testing';
import { cleanup } from '@testing-library/react';
import type { ComponentType, ReactNode } from 'react';
import { afterEach, vi } from 'vitest';
import { toSafeProfile, type UserState } from '../../profile.ts';
import { UserProvider } from '../../react/user-state.tsx';

afterEach(cleanup);

export const ada = { id: 'u1', name: 'Ada', credits: 7 };
export const bob = { id: 'u2', name: 'Bob', credits: 1 };

export const signedOut: UserState = { status: 'signed-out' };
export const unavailable: UserState = { status: 'unavailable' };
export const signedIn = (profile: object = ada): UserState => ({
  status: 'signed-in',
  profile: toSafeProfile(profile),
});

/** The page's environment. A test can change it while the page is open. */
export interface PageDouble {
  /** The root loader's data, initially and on revalidation. */
  loaded: UserState;
  /**
   * The response of `/api/user`: a profile, a status, or a `Response` from something other than the
   * site.
   */
  user: object | number | Response | Promise<object | number>;
  /** How often each was requested. The root loader's first data comes with the page. */
  requested: { user: number; root: number };
  /** Requests to other addresses. {@link PageDouble.fetch} sets their responses. */
  fetch: ReturnType<typeof vi.fn<typeof fetch>>;
  /** Arguments of `window.location.assign`. */
  assigned: string[];
}

/** The types of loaders and actions are the framework's. */
export interface PageOptions<
  Loader extends StubHandler,
  Action extends StubHandler,
> extends Partial<Pick<PageDouble, 'loaded' | 'user'>> {
  /** Path and query. */
  at?: string;
  loaderData?: unknown;
  /** The page's `handle`. */
  handle?: unknown;
  actionData?: unknown;
  /** Resolves the page's revalidation. */
  loader?: Loader;
  action?: Action;
}

/** What differs between frameworks. */
interface PageStub extends Pick<ReloadProviderProps, 'framework'> {
  renderPage: (page: PageRoutes, at: string, sent: SentData) => void;
}

/** Renders a page as the server sent it, and hydrates it. */
export function openPageIn(
  { framework, renderPage }: PageStub,
  Page: ComponentType,
  options: PageOptions<StubHandler, StubHandler> = {},
): PageDouble {
  const { at = '/page', loaderData = null, actionData } = options;
  const page: PageDouble = {
    loaded: options.loaded ?? signedIn(),
    user: options.user ?? ada,
    requested: { user: 0, root: 0 },
    fetch: vi.fn<typeof fetch>(() => Promise.resolve(new Response(null, { status: 404 }))),
    assigned: [],
  };
  vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
    // A test may give one response for every request.
    if (call[0] !== '/api/user') return (await page.fetch(...call)).clone();
    page.requested.user++;
    const reported = await page.user;
    if (reported instanceof Response) return reported.clone();
    const headers = { 'x-request-id': 'r1' };
    return typeof reported === 'number'
      ? new Response(null, { status: reported, headers })
      : Response.json(reported, { headers });
  });
  vi.spyOn(window.location, 'assign').mockImplementation((address) => {
    page.assigned.push(String(address));
  });

  const Root = ({ loaded, children }: { loaded: unknown; children: ReactNode }) => (
    <ReloadProvider framework={framework}>
      <UserProvider loaded={(loaded as { user: UserState }).user}>{children}</UserProvider>
    </ReloadProvider>
  );
  const rootLoader = () => {
    page.requested.root++;
    return { user: page.loaded };
  };
  const loader: StubHandler = (call) => options.loader?.(call) ?? Response.json(loaderData);
  const action: StubHandler = (call) => options.action?.(call) ?? null;
  const sent = { root: { user: page.loaded }, page: loaderData, action: actionData };
  renderPage({ Root, Page, rootLoader, loader, action, handle: options.handle }, at, sent);
  return page;
}
