/** Filter links for the feed. */
import { Link } from '@remix-run/react';
import { feedAddress, type FeedView } from './feed-filter';

const kinds = [
  { kind: undefined, label: 'All' },
  { kind: 'picture', label: 'Pictures' },
  { kind: 'clip', label: 'Clips' },
] as const;

const statuses = [
  { status: undefined, label: 'Any state' },
  { status: 'pending', label: 'In progress' },
  { status: 'succeeded', label: 'Done' },
  { status: 'failed', label: 'Failed' },
  { status: 'canceled', label: 'Canceled' },
] as const;

export function FeedFilters({ view: { kind, status } }: { view: FeedView }) {
  return (
    <nav aria-label="Filters" className="flex flex-wrap gap-x-6 gap-y-2">
      <ul className="flex flex-wrap gap-1">
        {kinds.map((option) => (
          <Filter
            key={option.label}
            to={{ kind: option.kind, status }}
            isCurrent={option.kind === kind}
          >
            {option.label}
          </Filter>
        ))}
      </ul>
      <ul className="flex flex-wrap gap-1">
        {statuses.map((option) => (
          <Filter
            key={option.label}
            to={{ kind, status: option.status }}
            isCurrent={option.status === status}
          >
            {option.label}
          </Filter>
        ))}
      </ul>
    </nav>
  );
}

interface FilterProps {
  to: Partial<FeedView>;
  isCurrent: boolean;
  children: string;
}

function Filter({ to, isCurrent, children }: FilterProps) {
  return (
    <li>
      <Link
        to={feedAddress(to)}
        aria-current={isCurrent || undefined}
        preventScrollReset
        className="text-muted hover:text-ink aria-[current]:border-line-strong aria-[current]:bg-surface aria-[current]:text-ink inline-flex min-h-9 items-center rounded-full border border-transparent px-3 text-sm aria-[current]:font-medium forced-colors:aria-[current]:outline-2"
      >
        {children}
      </Link>
    </li>
  );
}
