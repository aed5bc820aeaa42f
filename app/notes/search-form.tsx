/** Search by words and tags. */
import { Form, Link } from '@remix-run/react';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { inputLength } from '@gatehouse/frame';
import { Button } from '~/ui/button';
import { controlLook } from '~/ui/field';
import { queryMaxLength } from './note';

export interface SearchFormProps {
  query: string;
  tag: string;
  /** Whether the query is too long to be searched whole. */
  isCut: boolean;
  /** Whether the query has anything to search for. */
  isSearched: boolean;
  /** The tags to choose from. */
  tags: readonly string[];
}

export function SearchForm(props: SearchFormProps) {
  const { query, tag, tags } = props;
  return (
    <search className="grid gap-3">
      {/* Resets the field when the query changes. */}
      <Form key={query} method="get" action="/notes" className="flex gap-2">
        {tag && <input type="hidden" name="tag" value={tag} />}
        <input
          type="search"
          name="q"
          aria-label="Search the notes"
          placeholder="Search"
          maxLength={inputLength(queryMaxLength)}
          aria-describedby="search-hint"
          defaultValue={query}
          className={`${controlLook} min-w-0 py-2`}
        />
        <Button type="submit" tone="secondary">
          <Search aria-hidden />
          Search
        </Button>
      </Form>
      <p id="search-hint" className="text-muted text-sm empty:hidden">
        {query && hintOf(props)}
      </p>
      {(tags.length > 0 || tag) && (
        <ul aria-label="Tags" className="flex flex-wrap gap-2">
          {[...new Set([...(tag ? [tag] : []), ...tags])].map((name) => (
            <li key={name}>
              <Link
                to={addressOf(query, name === tag ? '' : name)}
                aria-current={name === tag ? 'true' : undefined}
                className="border-line-strong aria-[current]:bg-accent aria-[current]:text-on-accent hover:bg-sunken inline-flex min-h-8 items-center rounded-full border px-3 text-sm wrap-anywhere"
              >
                {name}
                {name === tag && <span className="sr-only">, selected: show all notes</span>}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

/** What the search does not find. */
function hintOf({ query, isCut, isSearched }: SearchFormProps): ReactNode {
  if (!isSearched)
    return (
      <>
        “<bdi>{query}</bdi>” has nothing to search for: punctuation is ignored.
      </>
    );
  const how =
    'Words are found by their beginning, with or without accents; text without spaces, such as Japanese or Thai, by any part.';
  return isCut ? `Only the first ${queryMaxLength} characters were searched. ${how}` : how;
}

function addressOf(query: string, tag: string): string {
  const given = Object.entries({ q: query, tag }).filter(([, value]) => value !== '');
  return given.length > 0 ? `/notes?${new URLSearchParams(given).toString()}` : '/notes';
}
