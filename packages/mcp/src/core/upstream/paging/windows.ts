/** Maps limit and offset to a service's own pagination, by page number or by cursor (M14, M15). */
import { ToolError, UpstreamResponseError } from '../../result/errors.ts';

/** The arguments of a list tool. */
export interface RequestedWindow {
  readonly limit: number;
  readonly offset: number;
}

/** The items at that limit and offset. Pass it to `pageOf` with the offset. */
export interface Window<Item> {
  readonly items: readonly Item[];
  /** The number of items; a lower bound if the service does not report it. */
  readonly total: number;
  /** False if there are more items than were read and the service does not report the total. */
  readonly isTotalKnown: boolean;
}

export interface NumberedPage<Item> {
  readonly items: readonly Item[];
  /** If the service reports it. */
  readonly total?: number | undefined;
  /** If the service reports it. Otherwise a page with fewer items than its size is the last. */
  readonly isLast?: boolean | undefined;
}

export interface NumberedPages {
  /** The service's maximum page size. */
  readonly size: number;
  /** Whether every page has that size. */
  readonly isFixed?: boolean;
}

export interface CursorPage<Item> {
  readonly items: readonly Item[];
  readonly total?: number | undefined;
  /** Undefined, null or empty on the last page. */
  readonly next?: string | null | undefined;
}

const mostPages = 20;

/**
 * Reads as many pages as the window needs.
 *
 * @param read Fetches a page by its number, starting at 1, and size.
 */
export async function fromPages<Item>(
  requested: RequestedWindow,
  { size: largest, isFixed = false }: NumberedPages,
  read: (page: number, size: number) => Promise<NumberedPage<Item>>,
): Promise<Window<Item>> {
  const { limit, offset } = requested;
  // A window aligned to its own size is a single page.
  const fits = !isFixed && limit <= largest && offset % limit === 0;
  const size = fits ? limit : largest;
  const first = Math.floor(offset / size) + 1;
  const start = (first - 1) * size;
  const last = first + Math.floor((offset + limit - start) / size);
  const items: Item[] = [];
  let total: number | undefined;
  for (let page = first; page <= last; page += 1) {
    const result = await read(page, size);
    total = result.total ?? total;
    items.push(...result.items.slice(0, size));
    if (result.isLast ?? result.items.length < size) {
      if (items.length === 0 && start > 0 && total === undefined) return pastTheEnd(read, size);
      return windowOf(requested, items, start, total, true);
    }
    if (isSeen(requested, start + items.length, total)) break;
  }
  return windowOf(requested, items, start, total, false);
}

/** The offset is past the end, and the service does not report the total. */
async function pastTheEnd<Item>(
  read: (page: number, size: number) => Promise<NumberedPage<Item>>,
  size: number,
): Promise<Window<Item>> {
  const { items } = await read(1, size);
  return { items: [], total: items.length, isTotalKnown: items.length < size };
}

/**
 * Follows cursors until the window is reached. The intermediate pages can be cached with `cacheMs`.
 *
 * @param read Fetches the page at a cursor, or the first page without one.
 * @param most Maximum number of pages for one call.
 * @throws ToolError if the window is further away than that.
 */
export async function fromCursor<Item>(
  requested: RequestedWindow,
  read: (cursor: string | undefined) => Promise<CursorPage<Item>>,
  most = mostPages,
): Promise<Window<Item>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  let total: number | undefined;
  for (let pages = 0; pages < most; pages += 1) {
    const page = await read(cursor);
    total = page.total ?? total;
    items.push(...page.items);
    if (!page.next) return windowOf(requested, items, 0, total, true);
    if (isSeen(requested, items.length, total)) return windowOf(requested, items, 0, total, false);
    if (page.next === cursor) throw new UpstreamResponseError('The cursor leads to itself');
    cursor = page.next;
  }
  // One item is held back to prove that there are more.
  const rest = items.length - 1 - requested.offset;
  if (rest > 0) return windowOf({ ...requested, limit: rest }, items, 0, total, false);
  throw new ToolError(
    `This list can be read up to offset ${Math.max(0, items.length - 2)}: the service goes from page to page. Narrow the search.`,
  );
}

/** Whether the window was read; if the total is unknown, with one item more, to prove that there are more. */
function isSeen(
  { limit, offset }: RequestedWindow,
  end: number,
  total: number | undefined,
): boolean {
  return end > offset + limit || (total !== undefined && end >= Math.min(offset + limit, total));
}

/** @param start The index of the first item in the whole list. */
function windowOf<Item>(
  { limit, offset }: RequestedWindow,
  all: readonly Item[],
  start: number,
  total: number | undefined,
  isEnd: boolean,
): Window<Item> {
  const end = start + all.length;
  const items = all.slice(offset - start, offset - start + limit);
  // If the list changed meanwhile, the total is at least the number of items read.
  if (total !== undefined) {
    const seen = all.length === 0 ? 0 : Math.min(end, offset + items.length);
    return { items, total: Math.max(total, seen), isTotalKnown: true };
  }
  return { items, total: end, isTotalKnown: isEnd };
}
