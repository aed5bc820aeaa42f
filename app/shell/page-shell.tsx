/** The layout of every page: header, menu, identities and content. */
import { Link, NavigationType, useLocation, useNavigationType } from '@remix-run/react';
import { useEffect, useRef, type ReactNode } from 'react';
import { ConnectionNotice } from './connection/connection-notice';
import { useFeatures, useMenu } from './features';
import { HeaderMenu } from './header-menu';
import { Visitor } from './visitor';
import { site } from '~/site.config';

export function PageShell({ children }: { children: ReactNode }) {
  const content = useContentFocus();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="bg-accent text-on-accent sr-only rounded-full px-4 py-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to content
      </a>
      <Notices />
      <header className="border-line border-b">
        <div className="relative mx-auto flex max-w-5xl flex-wrap items-center justify-end gap-x-3 gap-y-2 px-4 py-3 sm:px-6">
          <Link
            to="/"
            className="font-display flex min-w-0 items-center gap-2 text-xl leading-tight max-md:grow max-md:basis-40"
          >
            <Mark />
            {site.name}
          </Link>
          <nav aria-label="Pages" className="mr-auto ml-3 hidden md:flex">
            <PageLinks />
          </nav>
          <SmallMenu />
          <Visitor />
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

function Notices() {
  return useFeatures().map(
    ({ name, feature: { Notice }, loaded }) => Notice && <Notice key={name} loaded={loaded} />,
  );
}

function PageLinks() {
  const { pathname } = useLocation();
  // Cheaper than `NavLink`, which reads the location once per link.
  return useMenu().map(({ to, label }) => (
    <Link
      key={to}
      to={to}
      aria-current={to === pathname ? 'page' : undefined}
      className="text-muted hover:text-ink aria-[current=page]:text-ink rounded-full px-3 py-2 text-sm aria-[current=page]:font-semibold"
    >
      {label}
    </Link>
  ));
}

/** The same links for narrow screens. */
function SmallMenu() {
  return (
    // Text rather than an icon, which would load the icon library on every page.
    <HeaderMenu className="ml-auto md:hidden" button="Menu">
      <nav aria-label="Pages" className="grid">
        <PageLinks />
      </nav>
    </HeaderMenu>
  );
}

/**
 * Scrolls a new page to the top and focuses its content, as loading a document would. Remix leaves
 * this to `ScrollRestoration`, which fails in a frame without storage access.
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
    // The browser restores the position on back and forward.
    if (type === NavigationType.Push) window.scrollTo(0, 0);
  }, [pathname, search, type]);
  return content;
}

function Mark() {
  return (
    <svg viewBox="0 0 24 24" className="text-accent size-6 shrink-0" aria-hidden>
      <path fill="currentColor" d="M3 21V6h3v2h3V6h6v2h3V6h3v15h-6v-4a3 3 0 0 0-6 0v4z" />
    </svg>
  );
}
