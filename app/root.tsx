/** The document of every page: the visitor's identities, the page shell and the error page. */
import { data, type LoaderFunctionArgs } from '@remix-run/node';
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
import type { ReactElement, ReactNode } from 'react';
// auth: accounts
import { AccountMenu } from './accounts/account-menu';
import { accountStateOf, type AccountState } from '@gatehouse/accounts';
import {
  checkAccount,
  isSentToSignIn, // auth: platform
} from './accounts.server';
// /auth
import { siteEnv } from './env.server'; // auth: platform
import { checkPlatformUser } from './platform.server'; // auth: platform
import { demoVisitorOf, userStateOf } from '@gatehouse/platform/server'; // auth: platform
import type { UserState } from '@gatehouse/platform'; // auth: platform
import { ErrorPage } from './shell/errors/error-page';
import { ThrownError } from './shell/errors/thrown-error';
import { PageShell } from './shell/page-shell';
import { SignInButton } from './shell/platform/auth-buttons'; // auth: platform
import { PlatformVisitor } from './shell/platform/platform-visitor'; // auth: platform
import { UserProvider } from '@gatehouse/platform/react'; // auth: platform
import {
  ReloadProvider,
  SessionProvider, // auth: accounts
  useReload, // auth: accounts
} from '@gatehouse/frame/react';
import { remix } from '@gatehouse/frame/remix';
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

/** Shows who is signed in, but guards nothing: each route declares its own access. */
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
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* Vite's client reads this nonce for the style elements that it adds. */}
        {import.meta.env.DEV && <meta property="csp-nonce" nonce={nonce} {...hiddenNonce} />}
        <PageMeta />
        <Links />
      </head>
      <body>
        {children}
        <Scripts {...(nonce && { nonce })} {...hiddenNonce} />
      </body>
    </html>
  );
}

/** What the page's `meta` gives, and the site's own title, description and so on where it gives none. */
function PageMeta() {
  // Called rather than rendered, because only Remix knows which route's `meta` applies.
  const { children } = (Meta() as ReactElement<{ children: (MetaElement | null)[] }>).props;
  const has = (type: string, name?: string) =>
    children.some((given) => given?.type === type && given.props.name === name);
  return (
    <>
      {!has('title') && <title>{titleOf()}</title>}
      {Object.entries(siteMeta).map(
        ([name, content]) =>
          !has('meta', name) && <meta key={name} name={name} content={content} />,
      )}
      {children}
    </>
  );
}

type MetaElement = ReactElement<{ name?: string }>;

const siteMeta = {
  viewport: 'width=device-width, initial-scale=1',
  'color-scheme': 'light dark',
  description: site.description,
};

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

/** Wraps every page: the identities that a visitor can have, and the page shell. */
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
  return <ReloadProvider framework={remix}>{page}</ReloadProvider>;
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
    // On a phone, the tools start a row.
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

/** W31: sets the cookie that identifies a new visitor of the offline demo. */
async function demoHeaders({ context }: LoaderFunctionArgs): Promise<ResponseInit> {
  if (!hasPlatform || !siteEnv().offlineDemo) return {};
  const setCookie = (await demoVisitorOf(context))?.setCookie;
  return setCookie ? { headers: { 'set-cookie': setCookie } } : {};
}

/** W31: tells the visitor that no platform is behind this site. */
function DemoNotice() {
  return (
    <p className="bg-accent-soft px-4 py-2 text-center text-sm">
      Offline demo: what you create is visible only in this browser, and deleted when the server
      stops. Cookies are required.
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

/** Loaders, not the browser, determine whether someone is still signed in to a site account. */
function AccountSession({ account, children }: { account: AccountState; children: ReactNode }) {
  const person = account.status === 'signed-in' ? account.email : null;
  return (
    <SessionProvider person={person} check={useReload()}>
      {children}
    </SessionProvider>
  );
}
// /auth

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
