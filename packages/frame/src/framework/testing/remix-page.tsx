/** A page in a stub of Remix's router. */
import type { ActionFunction, LoaderFunction } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { render } from '@testing-library/react';
import type { ComponentType, ReactNode } from 'react';

export interface PageRoutes {
  Root: ComponentType<{ loaded: unknown; children: ReactNode }>;
  Page: ComponentType;
  rootLoader: LoaderFunction;
  loader: LoaderFunction;
  action: ActionFunction;
  /** The page's `handle`. */
  handle?: unknown;
}

export type { ActionFunction, LoaderFunction };

/**
 * Renders the page as the server sent it, and hydrates it.
 *
 * @param at path and query.
 * @param sent the data that came with the page.
 */
export function renderPage(
  { Root, Page, rootLoader, loader, action, handle }: PageRoutes,
  at: string,
  sent: { root: unknown; page: unknown; action?: unknown },
): void {
  const Document = () => (
    <Root loaded={useLoaderData()}>
      <Outlet />
    </Root>
  );
  const place = at === '/' ? { index: true as const } : { path: at.replace(/\?.*/, '') };
  const page = { id: 'page', ...place, Component: Page, loader, action, handle };
  const root = { id: 'root', path: '/', Component: Document, loader: rootLoader };
  const Stub = createRemixStub([{ ...root, children: [page] }]);
  const { action: actionData, ...loaderData } = sent;
  const hydrationData = {
    loaderData,
    ...(actionData !== undefined && { actionData: { page: actionData } }),
  };
  render(<Stub initialEntries={[at]} hydrationData={hydrationData} />);
}
