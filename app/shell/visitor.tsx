/** The end of the header: every identity that a visitor can have on this site. */
import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useFeatures } from './features';
import { HeaderMenu } from './header-menu';

/** A single identity is not labelled; two are told apart by their names (W29), and share a row on a phone. */
export function Visitor() {
  const identities = useFeatures().flatMap(({ feature: { identity }, loaded }) =>
    identity ? [{ ...identity, loaded }] : [],
  );
  const isAlone = identities.length === 1;
  return (
    <div
      className={
        isAlone
          ? 'contents'
          : 'grid grid-cols-2 items-end gap-x-3 gap-y-2 max-md:w-full md:flex md:items-center'
      }
    >
      {identities.map(({ name, Tools, Menu, loaded }) => (
        <div
          key={name}
          {...(!isAlone && { role: 'group', 'aria-label': name })}
          className="flex min-w-0 items-center gap-3 max-md:contents"
        >
          {Tools && <Tools />}
          <Menu loaded={loaded} label={isAlone ? undefined : name} />
        </div>
      ))}
    </div>
  );
}

export interface SignedOutIdentityProps {
  /** The account's name, on a site with two kinds of accounts. */
  label: string | undefined;
  children: ReactNode;
}

/** For an identity that nobody is signed in to. */
export function SignedOutIdentity({ label, children }: SignedOutIdentityProps) {
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
  /** The account's name, on a site with two kinds of accounts. */
  label: string | undefined;
  name: string;
  /** The account's own page. */
  to: string;
  signOut: ReactNode;
}

export function VisitorMenu({ label, name, to, signOut }: VisitorMenuProps) {
  return (
    <HeaderMenu
      className={label ? 'max-md:[&>summary]:w-full' : ''}
      button={
        <>
          <span
            aria-hidden
            className={`bg-accent text-on-accent -ml-2.5 grid size-7 shrink-0 place-items-center rounded-full ${label ? 'max-sm:hidden' : ''}`}
          >
            {initialOf(name)}
          </span>
          <span className="grid min-w-0 py-1 leading-tight md:max-w-36">
            {label && <span className="text-muted truncate text-xs">{label}</span>}
            <span dir="auto" className={`truncate ${label ? '' : 'max-sm:sr-only'}`}>
              {name}
            </span>
          </span>
        </>
      }
    >
      {/* The button truncates a long name. */}
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

/** The first letter, digit or symbol, skipping punctuation. */
function initialOf(name: string): string | undefined {
  return /[\p{L}\p{N}\p{So}]/u.exec(name)?.[0].toUpperCase();
}
