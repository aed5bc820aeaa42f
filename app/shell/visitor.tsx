/** The end of the header: every identity that a visitor can have on this site. */
import type { ReactNode } from 'react';

export interface Identity {
  /** The account's name, shown on a site with two kinds of accounts. */
  name: string;
  /** Who is signed in, and sign-in or sign-out. */
  menu: ReactNode;
}

/** A single identity is not labelled; two are told apart by their names (W29). */
export function Visitor({ identities }: { identities: readonly Identity[] }) {
  const isAlone = identities.length === 1;
  return (
    <div
      className={
        isAlone
          ? 'flex justify-end md:ml-auto'
          : // On a phone, one row each: the name, and the actions at the end.
            'grid w-full gap-y-2 md:ml-auto md:flex md:w-auto md:flex-wrap md:justify-end md:gap-x-6'
      }
    >
      {identities.map(({ name, menu }) =>
        isAlone ? (
          <div
            key={name}
            className="flex min-h-9 flex-wrap items-center justify-end gap-x-3 gap-y-2"
          >
            {menu}
          </div>
        ) : (
          <div
            key={name}
            role="group"
            aria-label={name}
            className="flex min-h-9 min-w-0 flex-wrap items-center justify-end gap-x-3 gap-y-2"
          >
            <span aria-hidden className="text-muted text-xs max-md:mr-auto">
              {name}
            </span>
            {menu}
          </div>
        ),
      )}
    </div>
  );
}
