/** The frame of every page: where one can go, and who one is. */
import { Link, NavigationType, useLocation, useNavigationType } from '@remix-run/react';
import { useEffect, useRef, type ReactNode } from 'react';
import { SignInButton, SignOutButton } from './auth-buttons';
import { ConnectionNotice } from './connection/connection-notice';
import { site } from '~/site.config';
import { Skeleton } from '~/ui/skeleton';
import { useUser } from './user-state';

export function PageShell({ notice, children }: { notice?: ReactNode; children: ReactNode }) {
  const content = useContentFocus();
  const { pathname } = useLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="bg-accent text-on-accent sr-only rounded-full px-4 py-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      {notice}
      <header className="border-line border-b">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 sm:px-6">
          <Link to="/" className="font-display flex items-center gap-2 text-xl">
            <Mark />
            {site.name}
          </Link>
          <nav
            aria-label="Pages"
            className="order-last -mx-3 flex w-full flex-wrap md:order-none md:mx-0 md:w-auto"
          >
            {/* `NavLink` would look at the location once for each: decision 0008. */}
            {site.menu.map(({ to, label }) => (
              <Link
                key={to}
                to={to}
                aria-current={to === pathname ? 'page' : undefined}
                className="text-muted hover:text-ink aria-[current=page]:text-ink rounded-full px-3 py-2 text-sm aria-[current=page]:font-semibold"
              >
                {label}
              </Link>
            ))}
          </nav>
          <div className="ml-auto flex min-h-9 items-center gap-3">
            <Visitor />
          </div>
        </div>
      </header>
      <main
        ref={content}
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-5xl grow px-4 py-8 outline-none sm:px-6 sm:py-12"
      >
        {children}
      </main>
      <ConnectionNotice />
    </div>
  );
}

/**
 * A new page starts at its top, and with the focus on its content, as a loaded document would. Remix
 * leaves both to `ScrollRestoration`, which fails where a frame may not store anything.
 */
function useContentFocus() {
  const content = useRef<HTMLElement>(null);
  const { pathname, search } = useLocation();
  const type = useNavigationType();
  const shown = useRef(pathname + search);
  useEffect(() => {
    if (shown.current === pathname + search) return;
    shown.current = pathname + search;
    content.current?.focus({ preventScroll: true });
    // Back and forward are the browser's to restore.
    if (type === NavigationType.Push) window.scrollTo(0, 0);
  }, [pathname, search, type]);
  return content;
}

function Visitor() {
  const { view } = useUser();
  switch (view.status) {
    case 'changing':
      return <Skeleton className="h-5 w-24" />;
    case 'checking':
      return (
        <>
          <Skeleton className="h-5 w-24 noscript:hidden" />
          {/* Without a script nothing will confirm the server's word, so the way out must be here. */}
          <noscript>
            <SignOutButton tone="secondary" size="small" />
          </noscript>
        </>
      );
    case 'signed-in':
      return (
        <>
          <Name>{view.profile.displayName ?? 'Your account'}</Name>
          <SignOutButton tone="secondary" size="small" />
        </>
      );
    case 'signed-out':
      return <SignInButton tone="secondary" size="small" />;
    case 'unavailable':
      return <span className="text-muted text-sm">Sign-in is not reachable</span>;
  }
}

/** A narrow page shows the initial alone: the first letter or sign, not a bracket before it. */
function Name({ children: name }: { children: string }) {
  return (
    <>
      <span
        aria-hidden
        className="bg-accent text-on-accent grid size-8 place-items-center rounded-full text-sm font-semibold"
      >
        {/[\p{L}\p{N}\p{So}]/u.exec(name)?.[0].toUpperCase()}
      </span>
      <span className="max-w-32 truncate text-sm font-medium max-sm:sr-only lg:max-w-40">
        {name}
      </span>
    </>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 24 24" className="text-accent size-6" aria-hidden>
      <path fill="currentColor" d="M3 21V6h3v2h3V6h6v2h3V6h3v15h-6v-4a3 3 0 0 0-6 0v4z" />
    </svg>
  );
}
