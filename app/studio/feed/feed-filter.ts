/** Which part of the feed an address shows. */
import {
  generationKinds,
  statusFilters,
  type GenerationFilter,
} from '~/platform/sdk/generations/generations';

export interface FeedView extends GenerationFilter {
  /** Of an older page; empty for the newest. */
  cursor: string;
}

export function feedViewOf(query: URLSearchParams): FeedView {
  const kind = generationKinds.find((one) => one === query.get('kind'));
  const status = statusFilters.find((one) => one === query.get('status'));
  return { kind, status, cursor: query.get('cursor') ?? '' };
}

/** The address of a view. The newest page, unless a cursor is given. */
export function feedAddress({ kind, status, cursor = '' }: Partial<FeedView>): string {
  const query = new URLSearchParams({
    ...(kind && { kind }),
    ...(status && { status }),
    ...(cursor && { cursor }),
  }).toString();
  return `/studio${query && `?${query}`}`;
}
