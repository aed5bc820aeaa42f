/** Links between the pages of a list that is read by a cursor. Nothing if all of it fits on one. */
import { Link } from '@remix-run/react';
import { buttonLook } from './button';

export interface PagesProps {
  label: string;
  isFirst: boolean;
  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
  /** What else the address says, such as a filter. */
  query?: Record<string, string>;
  words?: { newest: string; older: string };
}

export function Pages({ label, isFirst, nextCursor, query = {}, words }: PagesProps) {
  const { newest, older } = words ?? { newest: 'Newest', older: 'Older' };
  return (
    <nav aria-label={label} className="flex flex-wrap justify-center gap-3 empty:hidden">
      {!isFirst && (
        <Link className={buttonLook({ tone: 'secondary' })} to={`?${new URLSearchParams(query)}`}>
          {newest}
        </Link>
      )}
      {nextCursor && (
        <Link
          className={buttonLook({ tone: 'secondary' })}
          to={`?${new URLSearchParams({ ...query, cursor: nextCursor })}`}
        >
          {older}
        </Link>
      )}
    </nav>
  );
}
