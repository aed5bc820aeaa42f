/** The document of every page: the visitor's state, the frame around pages, and what errors look like. */
import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  useLoaderData,
  useMatches, // auth: platform
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import type { ReactNode } from 'react';
// auth: accounts
import { AccountMenu } from './accounts/account-menu';
import type { AccountState } from './accounts/account-state';
import {
  accountStateOf,
  checkAccount,
  isSentToSignIn, // auth: platform
} from './accounts/account.server';
// /auth
import { siteEnv } from './env.server'; // auth: platform
import { demoVisitorOf } from './platform/demo-visitor.server'; // auth: platform
import { checkPlatformUser, userStateOf } from './platform/platform.server'; // auth: platform
import type { UserState } from './platform/profile'; // auth: platform
import { ErrorPage } from './shell/errors/error-page';
import { ThrownError } from './shell/errors/thrown-error';
import { PageShell } from './shell/page-shell';
import { SignInButton } from './shell/platform/auth-buttons'; // auth: platform
import { PlatformVisitor } from './shell/platform/platform-visitor'; // auth: platform
import { UserProvider } from './shell/platform/user-state'; // auth: platform
import {
  ReloadProvider,
  useReload, // auth: accounts
} from './shell/reload';
import { SessionProvider } from './shell/sessions'; // auth: accounts
import { Visitor, type Identity } from './shell/visitor';
import type {
  HandleWithTools, // auth: platform
  RouteHandle,
} from './route-handle';
import {
  accountNames,
  hasAccounts, // auth: accounts
  hasPlatform, // auth: platform
  site,
  titleOf,
} from './site.config';
import { useNonce } from './ui/nonce';
import './tailwind.css';

export const meta: MetaFunction = () => [{ title: titleOf() }];

/** It shows who is signed in, and does nothing that needs it. Each route says for itself what it wants. */
export const handle = { access: 'none' } satisfies RouteHandle;

export async function loader(args: LoaderFunctionArgs) {
  const loaded = {
    ...(await platformOf(args)), // auth: platform
    account: await accountOf(args), // auth: accounts
  };
  return data(
    loaded,
    await demoHeaders(args), // auth: platform
  );
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={site.description} />
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
  return (
    <Page loaded={useLoaderData<typeof loader>()}>
      <Outlet />
    </Page>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const signIn = hasPlatform ? <SignInButton /> : null; // auth: platform
  return (
    <Page loaded={useRouteLoaderData<typeof loader>('root')}>
      <ErrorPage
        status={statusOf(error)}
        signIn={signIn} // auth: platform
      />
      {import.meta.env.MODE === 'development' && <ThrownError error={error} />}
    </Page>
  );
}

/** What every page stands in: each identity that a visitor can have, and the frame around the content. */
function Page({ loaded, children }: { loaded: Loaded | undefined; children: ReactNode }) {
  const account: AccountState = loaded?.account ?? { status: 'unavailable' }; // auth: accounts
  const identities = [
    ...(hasPlatform ? [platformIdentity] : []), // auth: platform
    ...(hasAccounts ? [accountIdentity(account)] : []), // auth: accounts
  ];
  let page = (
    <PageShell
      visitor={<Visitor identities={identities} />}
      notice={loaded?.offlineDemo && <DemoNotice />} // auth: platform
    >
      {children}
    </PageShell>
  );
  page = <UserProvider loaded={loaded?.user ?? { status: 'unavailable' }}>{page}</UserProvider>; // auth: platform
  page = <AccountSession account={account}>{page}</AccountSession>; // auth: accounts
  return <ReloadProvider>{page}</ReloadProvider>;
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

// auth: platform
const platformIdentity: Identity = {
  name: accountNames.platform,
  tools: <PageTools />,
  menu: (label) => <PlatformVisitor label={label} />,
};

function PageTools() {
  const page = useMatches().at(-1);
  const { tools: Tools } = (page?.handle ?? {}) as HandleWithTools;
  if (!Tools) return null;
  return (
    // On a phone they begin a row.
    <div className="col-span-full min-w-0 empty:hidden max-md:grow max-md:basis-2/3">
      <Tools data={page?.data} />
    </div>
  );
}

async function platformOf({
  context,
  request, // auth: accounts
}: LoaderFunctionArgs) {
  if (!hasPlatform) return { user: { status: 'signed-out' } as UserState, offlineDemo: false };
  // auth: accounts
  if (await isSentToSignIn({ request, context })) {
    return { user: { status: 'unavailable' } as UserState, offlineDemo: false };
  }
  // /auth
  const user = userStateOf(await checkPlatformUser(context));
  return { user, offlineDemo: siteEnv().offlineDemo };
}

/** W31: a browser that comes to the offline demo for the first time is given what tells it from others. */
async function demoHeaders({ context }: LoaderFunctionArgs): Promise<ResponseInit> {
  if (!hasPlatform || !siteEnv().offlineDemo) return {};
  const setCookie = (await demoVisitorOf(context))?.setCookie;
  return setCookie ? { headers: { 'set-cookie': setCookie } } : {};
}

/** W31: the visitor must know that this is no platform's site. */
function DemoNotice() {
  return (
    <p className="bg-accent-soft px-4 py-2 text-center text-sm">
      Offline demo: what you make is kept on this server until it stops, for this browser alone. It
      needs cookies.
    </p>
  );
}
// /auth

// auth: accounts
function accountIdentity(account: AccountState): Identity {
  return {
    name: accountNames.site,
    menu: (label) => <AccountMenu account={account} label={label} />,
  };
}

async function accountOf({ request, context }: LoaderFunctionArgs): Promise<AccountState> {
  if (!hasAccounts) return { status: 'signed-out' };
  return accountStateOf(await checkAccount({ request, context }));
}

/** Whether somebody is still signed in to a site account, the loaders say. */
function AccountSession({ account, children }: { account: AccountState; children: ReactNode }) {
  const person = account.status === 'signed-in' ? account.email : null;
  return (
    <SessionProvider person={person} check={useReload()}>
      {children}
    </SessionProvider>
  );
}
// /auth

/** A browser shows a script's nonce as empty, so hydration sees another one than was sent. */
const hiddenNonce: object = { suppressHydrationWarning: true };

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
