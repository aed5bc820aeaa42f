/** A service's own pages, by number or by cursor, turned into limit and offset (M14, M15). */
import { ToolError, UpstreamResponseError } from '../../result/errors.ts';

/** What a list tool is asked for. */
export interface Asked {
  readonly limit: number;
  readonly offset: number;
}

/** What lies at that limit and offset. Give it to `pageOf` with the offset. */
export interface Window<Item> {
  readonly items: readonly Item[];
  /** How many there are; the least that there can be where the service does not say. */
  readonly total: number;
  /** False when there are more than were seen, and the service counts them for nobody. */
  readonly isTotalKnown: boolean;
}

export interface NumberedPage<Item> {
  readonly items: readonly Item[];
  /** Where the service says it. */
  readonly total?: number | undefined;
  /** Where it says that. Else a page with fewer items than its size is the last. */
  readonly isLast?: boolean | undefined;
}

export interface NumberedPages {
  /** The most that the service gives in a page. */
  readonly size: number;
  /** Whether a page can be made smaller. */
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
 * Reads as many pages as the window takes.
 *
 * @param read The page of this number, the first being 1, with so many items.
 */
export async function fromPages<Item>(
  asked: Asked,
  { size: largest, isFixed = false }: NumberedPages,
  read: (page: number, size: number) => Promise<NumberedPage<Item>>,
): Promise<Window<Item>> {
  const { limit, offset } = asked;
  // One page of the window's own size is the window, where it begins at one's edge.
  const fits = !isFixed && limit <= largest && offset % limit === 0;
  const size = fits ? limit : largest;
  const first = Math.floor(offset / size) + 1;
  const start = (first - 1) * size;
  const last = first + Math.floor((offset + limit - start) / size);
  const items: Item[] = [];
  let total: number | undefined;
  for (let page = first; page <= last; page += 1) {
    const answer = await read(page, size);
    total = answer.total ?? total;
    items.push(...answer.items.slice(0, size));
    if (answer.isLast ?? answer.items.length < size) {
      if (items.length === 0 && start > 0 && total === undefined) return pastTheEnd(read, size);
      return windowOf(asked, items, start, total, true);
    }
    if (isSeen(asked, start + items.length, total)) break;
  }
  return windowOf(asked, items, start, total, false);
}

/** The end lies before the window: how far, the service does not say. */
async function pastTheEnd<Item>(
  read: (page: number, size: number) => Promise<NumberedPage<Item>>,
  size: number,
): Promise<Window<Item>> {
  const { items } = await read(1, size);
  return { items: [], total: items.length, isTotalKnown: items.length < size };
}

/**
 * Goes from page to page until the window is reached. What is read on the way can be kept: `cacheMs`.
 *
 * @param read The page behind a cursor; without one, the first.
 * @param most Pages of one call, at most.
 * @throws ToolError when the window lies further than that.
 */
export async function fromCursor<Item>(
  asked: Asked,
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
    if (!page.next) return windowOf(asked, items, 0, total, true);
    if (isSeen(asked, items.length, total)) return windowOf(asked, items, 0, total, false);
    if (page.next === cursor) throw new UpstreamResponseError('The cursor leads to itself');
    cursor = page.next;
  }
  // One item is kept back: it shows that there are more.
  const rest = items.length - 1 - asked.offset;
  if (rest > 0) return windowOf({ ...asked, limit: rest }, items, 0, total, false);
  throw new ToolError(
    `This list can be read up to offset ${Math.max(0, items.length - 2)}: the service goes from page to page. Narrow the search.`,
  );
}

/** The window, and one item more where nobody counts: it alone shows that there are more. */
function isSeen({ limit, offset }: Asked, end: number, total: number | undefined): boolean {
  return end > offset + limit || (total !== undefined && end >= Math.min(offset + limit, total));
}

/** @param start The place of the first item in the whole list. */
function windowOf<Item>(
  { limit, offset }: Asked,
  all: readonly Item[],
  start: number,
  total: number | undefined,
  isEnd: boolean,
): Window<Item> {
  const end = start + all.length;
  const items = all.slice(offset - start, offset - start + limit);
  // A list that changed meanwhile has at least what was seen of it.
  if (total !== undefined) {
    const seen = all.length === 0 ? 0 : Math.min(end, offset + items.length);
    return { items, total: Math.max(total, seen), isTotalKnown: true };
  }
  return { items, total: end, isTotalKnown: isEnd };
}
