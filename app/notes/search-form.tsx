/** Search by words and tags. */
import { Form } from '@remix-run/react';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { inputLength } from '@gatehouse/frame';
import { Button } from '~/ui/button';
import { controlLook } from '~/ui/field';
import { Tags } from '~/ui/tags';
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
        <Tags
          label="Tags"
          tags={tags}
          chosen={tag}
          query={query ? { q: query } : {}}
          all="show all notes"
        />
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
