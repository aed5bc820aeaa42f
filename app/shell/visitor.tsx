/** The end of the header: each identity that a visitor can have here. */
import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { HeaderMenu } from './header-menu';

export interface Identity {
  /** What the account is called, for a site that has two kinds of them. */
  name: string;
  /** What the open page adds, such as where the visitor works at the moment. */
  tools?: ReactNode;
  /**
   * Who is signed in, and the way in or out.
   *
   * @param label the identity's name, where there is another identity beside it.
   */
  menu: (label?: string) => ReactNode;
}

/** One identity speaks for itself. Two are told apart by their names (W29), and share a row on a phone. */
export function Visitor({ identities }: { identities: readonly Identity[] }) {
  const isAlone = identities.length === 1;
  return (
    <div
      className={isAlone ? 'contents' : 'grid grid-cols-2 gap-x-3 gap-y-2 max-md:w-full md:flex'}
    >
      {identities.map(({ name, tools, menu }) => (
        <div
          key={name}
          {...(!isAlone && { role: 'group', 'aria-label': name })}
          className="flex min-w-0 items-center gap-3 max-md:contents"
        >
          {tools}
          {menu(isAlone ? undefined : name)}
        </div>
      ))}
    </div>
  );
}

export interface WayInProps {
  /** Which account it is, beside another one. */
  label: string | undefined;
  children: ReactNode;
}

/** Of an identity that nobody has at the moment. */
export function WayIn({ label, children }: WayInProps) {
  return (
    <div className="text-muted flex gap-x-2 gap-y-1 text-sm max-sm:flex-col sm:items-center">
      <span aria-hidden className="text-xs empty:hidden">
        {label}
      </span>
      {children}
    </div>
  );
}

export interface VisitorMenuProps {
  /** Which account it is, beside another one. */
  label: string | undefined;
  name: string;
  /** The account's own page. */
  to: string;
  signOut: ReactNode;
}

export function VisitorMenu({ label, name, to, signOut }: VisitorMenuProps) {
  return (
    <HeaderMenu
      button={
        <>
          <span
            aria-hidden
            className={`bg-accent text-on-accent -ml-2.5 grid size-7 shrink-0 place-items-center rounded-full ${label ? 'max-sm:hidden' : ''}`}
          >
            {initialOf(name)}
          </span>
          <span className="grid min-w-0 leading-tight md:max-w-36">
            {label && <span className="text-muted truncate text-xs">{label}</span>}
            <span dir="auto" className={`truncate ${label ? '' : 'max-sm:sr-only'}`}>
              {name}
            </span>
          </span>
        </>
      }
    >
      {/* Whole: the button has room for its beginning. */}
      <p dir="auto" className="px-3 pt-2 text-sm font-medium wrap-anywhere">
        {name}
      </p>
      <Link to={to} className="hover:bg-sunken rounded-xl px-3 py-2 text-sm">
        Account details
      </Link>
      {signOut}
    </HeaderMenu>
  );
}

/** The first letter or sign, not a bracket before it. */
function initialOf(name: string): string | undefined {
  return /[\p{L}\p{N}\p{So}]/u.exec(name)?.[0].toUpperCase();
}
