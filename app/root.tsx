/** The document of every page: the visitor's state, the frame around pages, and what errors look like. */
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  useLoaderData,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import type { ReactNode } from 'react';
import { ErrorPage } from './shell/errors/error-page';
import { ThrownError } from './shell/errors/thrown-error';
import { PageShell } from './shell/page-shell';
import { SignInButton } from './shell/platform/auth-buttons';
import { PlatformVisitor } from './shell/platform/platform-visitor';
import { UserProvider } from './shell/platform/user-state';
import { ReloadProvider } from './shell/reload';
import { Visitor } from './shell/visitor';
import { useNonce } from './ui/nonce';
import { checkPlatformUser, userStateOf } from './platform/platform.server';
import { siteEnv } from './env.server';
import { titleOf } from './site.config';
import './tailwind.css';

export const meta: MetaFunction = () => [{ title: titleOf() }];

export async function loader({ context }: LoaderFunctionArgs) {
  return {
    user: userStateOf(await checkPlatformUser(context)),
    offlineDemo: siteEnv().offlineDemo,
  };
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* Vite's client reads it for the styles that it adds. */}
        {import.meta.env.DEV && <meta property="csp-nonce" nonce={nonce} {...hiddenNonce} />}
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <Scripts {...(nonce && { nonce })} {...hiddenNonce} />
      </body>
    </html>
  );
}

export default function App() {
  const { user, offlineDemo } = useLoaderData<typeof loader>();
  return (
    <ReloadProvider>
      <UserProvider loaded={user}>
        <PageShell
          visitor={<Visitor identities={identities} />}
          notice={offlineDemo && <DemoNotice />}
        >
          <Outlet />
        </PageShell>
      </UserProvider>
    </ReloadProvider>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const loaded = useRouteLoaderData<typeof loader>('root');
  return (
    <ReloadProvider>
      <UserProvider loaded={loaded?.user ?? { status: 'unavailable' }}>
        <PageShell visitor={<Visitor identities={identities} />}>
          <ErrorPage status={statusOf(error)} signIn={<SignInButton />} />
          {import.meta.env.MODE === 'development' && <ThrownError error={error} />}
        </PageShell>
      </UserProvider>
    </ReloadProvider>
  );
}

const identities = [{ name: 'Account', menu: <PlatformVisitor /> }];

/** A browser shows a script's nonce as empty, so hydration sees another one than was sent. */
const hiddenNonce: object = { suppressHydrationWarning: true };

/** W31: the visitor must know that this is no platform's site. */
function DemoNotice() {
  return (
    <p className="bg-accent-soft px-4 py-2 text-center text-sm">
      Offline demo: what you make is kept on this server, and forgotten when it stops.
    </p>
  );
}

/** Null for an error of the browser's own, which the server has not logged. */
function statusOf(error: unknown): number | null {
  if (isRouteErrorResponse(error)) return error.status;
  // The stack of a browser's error names the site's scripts. A server's error has none, or names its files.
  const here =
    typeof window !== 'undefined' &&
    error instanceof Error &&
    error.stack?.includes(window.location.origin);
  return here ? null : 500;
}
