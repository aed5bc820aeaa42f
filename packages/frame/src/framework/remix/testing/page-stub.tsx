/** A page in Remix's stub of its router, for tests. */
import { Outlet, useLoaderData } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { render } from '@testing-library/react';
import { stubOf, type PageRoutes, type SentData } from '../../testing/page-stub.tsx';

export type { ActionFunction, LoaderFunction } from '@remix-run/node';
export type { PageRoutes, SentData, StubHandler } from '../../testing/page-stub.tsx';

/**
 * Renders the page as the server sent it, and hydrates it.
 *
 * @param at path and query.
 */
export function renderPage(page: PageRoutes, at: string, sent: SentData): void {
  const { routes, props } = stubOf({ Outlet, useLoaderData }, page, at, sent);
  const Stub = createRemixStub(routes as Parameters<typeof createRemixStub>[0]);
  render(<Stub {...props} />);
}
