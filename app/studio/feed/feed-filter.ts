/** The filter and page of the feed, from the address. */
import {
  generationKinds,
  statusFilters,
  type GenerationFilter,
} from '~/platform/generations/generations';

export interface FeedView extends GenerationFilter {
  /** Empty for the newest page. */
  cursor: string;
}

export function feedViewOf(query: URLSearchParams): FeedView {
  const kind = generationKinds.find((known) => known === query.get('kind'));
  const status = statusFilters.find((known) => known === query.get('status'));
  return { kind, status, cursor: query.get('cursor') ?? '' };
}

/** The address of a view: the newest page, unless it has a cursor. */
export function feedAddress({ kind, status, cursor = '' }: Partial<FeedView>): string {
  const query = new URLSearchParams({
    ...(kind && { kind }),
    ...(status && { status }),
    ...(cursor && { cursor }),
  }).toString();
  return `/studio${query && `?${query}`}`;
}
