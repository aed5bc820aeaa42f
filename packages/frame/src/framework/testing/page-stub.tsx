/** A page in a stub of a framework's router, for tests. */
import type { ComponentType, ReactNode } from 'react';

/** A loader or an action, which gets what the framework gives it. */
export type StubHandler = (args: never) => unknown;

export interface PageRoutes {
  Root: ComponentType<{ loaded: unknown; children: ReactNode }>;
  Page: ComponentType;
  rootLoader: StubHandler;
  loader: StubHandler;
  action: StubHandler;
  /** The page's `handle`. */
  handle?: unknown;
}

/** The data that came with the page. */
export interface SentData {
  root: unknown;
  page: unknown;
  action?: unknown;
}

interface StubFramework {
  Outlet: ComponentType;
  useLoaderData: () => unknown;
}

/** The routes of the stub, and its props. */
export function stubOf(
  { Outlet, useLoaderData }: StubFramework,
  { Root, Page, rootLoader, loader, action, handle }: PageRoutes,
  at: string,
  { action: actionData, ...loaderData }: SentData,
): { routes: unknown[]; props: object } {
  const Document = () => (
    <Root loaded={useLoaderData()}>
      <Outlet />
    </Root>
  );
  const place = at === '/' ? { index: true as const } : { path: at.replace(/\?.*/, '') };
  const page = { id: 'page', ...place, Component: Page, loader, action, handle };
  const root = { id: 'root', path: '/', Component: Document, loader: rootLoader };
  const hydrationData = {
    loaderData,
    ...(actionData !== undefined && { actionData: { page: actionData } }),
  };
  return {
    routes: [{ ...root, children: [page] }],
    props: { initialEntries: [at], hydrationData },
  };
}
