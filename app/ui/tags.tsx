/** Tags as links, of which one may be chosen: the same link then leads back. */
import { Link } from '@remix-run/react';

export interface TagsProps {
  label: string;
  tags: readonly string[];
  /** The address's `tag`; empty if none is chosen. */
  chosen: string;
  /** What else the address says, such as a search. */
  query?: Record<string, string>;
  /** Said of the chosen one to those who cannot see it, such as “show all notes”. */
  all: string;
}

export function Tags({ label, tags, chosen, query = {}, all }: TagsProps) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2">
      {[...new Set([...(chosen ? [chosen] : []), ...tags])].map((name) => (
        <li key={name}>
          <Link
            to={`?${new URLSearchParams(name === chosen ? query : { ...query, tag: name })}`}
            aria-current={name === chosen ? 'true' : undefined}
            className="border-line-strong aria-[current]:bg-accent aria-[current]:text-on-accent hover:bg-sunken inline-flex min-h-8 items-center rounded-full border px-3 text-sm wrap-anywhere"
          >
            {name}
            {name === chosen && <span className="sr-only">, selected: {all}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}
