/** A page in React Router's stub of its router, for tests. */
import { createRoutesStub, Outlet, useLoaderData } from 'react-router';
import { render } from '@testing-library/react';
import { stubOf, type PageRoutes, type SentData } from '../../testing/page-stub.tsx';

export type { ActionFunction, LoaderFunction } from 'react-router';
export type { PageRoutes, SentData, StubHandler } from '../../testing/page-stub.tsx';

/**
 * Renders the page as the server sent it, and hydrates it.
 *
 * @param at path and query.
 */
export function renderPage(page: PageRoutes, at: string, sent: SentData): void {
  const { routes, props } = stubOf({ Outlet, useLoaderData }, page, at, sent);
  const Stub = createRoutesStub(routes as Parameters<typeof createRoutesStub>[0]);
  render(<Stub {...props} />);
}
