/** The document of every page: the visitor's identities, the page shell and the error page. */
import { data, type LoaderFunctionArgs } from '@remix-run/node';
import {
  isRouteErrorResponse,
  Links,
  Outlet,
  Scripts,
  useLoaderData,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import type { ReactNode } from 'react';
import { ReloadProvider } from '@gatehouse/frame/react';
import { remix } from '@gatehouse/frame/remix';
import { loadFeatures } from '@gatehouse/server';
import { DocumentMeta } from '@gatehouse/server/remix/meta';
import * as features from './features';
import * as serverFeatures from './features.server';
import type { RouteHandle } from './route-handle';
import { ErrorPage, ThrownError } from './shell/errors/error-page';
import { FeaturesProvider, GuardedPage } from './shell/features';
import { PageShell } from './shell/page-shell';
import { site, titleOf } from './site.config';
import { useNonce } from './ui/nonce';
import './tailwind.css';

/** Shows who is signed in, but guards nothing: each route declares its own access. */
export const handle = { access: 'none' } satisfies RouteHandle;

export async function loader(args: LoaderFunctionArgs) {
  const { loaded, headers } = await loadFeatures(serverFeatures, args);
  return data(loaded, { headers });
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* Vite's client reads this nonce for the style elements that it adds. */}
        {import.meta.env.DEV && <meta property="csp-nonce" nonce={nonce} {...hiddenNonce} />}
        <DocumentMeta title={titleOf()} defaults={siteMeta} />
        <Links />
      </head>
      <body>
        {children}
        <Scripts {...(nonce && { nonce })} {...hiddenNonce} />
      </body>
    </html>
  );
}

/** For pages that say nothing else of themselves. */
const siteMeta = {
  viewport: 'width=device-width, initial-scale=1',
  'color-scheme': 'light dark',
  description: site.description,
};

export default function App() {
  return (
    <Page loaded={useLoaderData<typeof loader>()}>
      <GuardedPage>
        <Outlet />
      </GuardedPage>
    </Page>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <Page loaded={useRouteLoaderData<typeof loader>('root')}>
      <ErrorPage status={statusOf(error)} />
      {import.meta.env.MODE === 'development' && <ThrownError error={error} />}
    </Page>
  );
}

/** Wraps every page: what the site's features provide, and the page shell. */
function Page({ loaded, children }: { loaded: object | undefined; children: ReactNode }) {
  return (
    <ReloadProvider framework={remix}>
      <FeaturesProvider features={features} loaded={loaded}>
        <PageShell>{children}</PageShell>
      </FeaturesProvider>
    </ReloadProvider>
  );
}

/** Browsers hide a script's nonce from the DOM, so hydration would report a mismatch. */
const hiddenNonce: object = { suppressHydrationWarning: true };

/** Null for an error thrown in the browser, which the server has not logged. */
function statusOf(error: unknown): number | null {
  if (isRouteErrorResponse(error)) return error.status;
  // A browser error's stack contains the site's script URLs. A server error's stack is missing, or
  // contains file paths.
  const here =
    typeof window !== 'undefined' &&
    error instanceof Error &&
    error.stack?.includes(window.location.origin);
  return here ? null : 500;
}
