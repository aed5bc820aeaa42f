/** Pagination, the same in every list tool (M14, M15). */
import { z } from 'zod';

/** The number of items to return (M14). */
export const limit = z.int().min(1).max(100).default(20).describe('Items wanted.');

/** The number of items to skip (M14). */
export const offset = z.int().min(0).default(0).describe('The next_offset of the page before.');

/** The position of a page in the complete list (M15). */
export interface Page {
  readonly total: number;
  readonly count: number;
  readonly offset: number;
  readonly has_more: boolean;
  /** `null` on the last page. */
  readonly next_offset: number | null;
}

/** Computes the fields of a page from the three known ones. Spread the result beside the array. */
export function pageOf(known: Pick<Page, 'total' | 'count' | 'offset'>): Page {
  const { total, count } = known;
  const end = known.offset + count;
  const has_more = total > end;
  return { total, count, offset: known.offset, has_more, next_offset: has_more ? end : null };
}

type PageShape<Name extends string, Item extends z.ZodType> = {
  total: z.ZodInt;
  count: z.ZodInt;
  offset: z.ZodInt;
} & Record<Name, z.ZodArray<Item>> & {
    has_more: z.ZodBoolean;
    next_offset: z.ZodNullable<z.ZodInt>;
  };

/** What a handler returns for a page: its items by their name, or as `fromPages` and `fromCursor` give them. */
export type FoundItems<Name extends string, Item extends z.ZodType> = {
  readonly total: number;
  /** False if `total` is only a lower bound. */
  readonly isTotalKnown?: boolean;
} & (
  Readonly<Record<Name, readonly z.input<Item>[]>> | { readonly items: readonly z.input<Item>[] }
);

export type PageOutput<
  Name extends string,
  Item extends z.ZodType,
  Open extends boolean,
> = z.output<z.ZodObject<PageShape<Name, Item>>> &
  (Open extends true ? { total_is_minimum: boolean } : unknown);

/** The model of a list tool's result, made by {@link page}. */
export class PageModel<
  Name extends string = string,
  Item extends z.ZodType = z.ZodType,
  Open extends boolean = boolean,
> {
  readonly output: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  /** What an API gives: the items and their total, each of which it may omit. */
  readonly found: z.ZodType;
  declare readonly item: Item;

  constructor(
    readonly list: Name,
    item: Item,
    readonly isOpen: Open,
  ) {
    this.output = z.strictObject({
      ...pageShape(list, item),
      ...(isOpen && { total_is_minimum: z.boolean().describe('There may be more than total.') }),
    });
    this.found = z.object({
      [list]: z.array(item).default([]),
      total: z.int().min(0).default(0),
    });
  }
}

/**
 * The output of a list tool (M14, M15): `output: page('users', user)`. Its handler returns the items and their total; the
 * other fields of the page, and the arguments `limit` and `offset`, are added. `shaped(page('users', user), body)`
 * parses an answer that has the items under the same name, and `total`.
 *
 * @param name The name of the array, such as `users`.
 */
export function page<const Name extends string, Item extends z.ZodType>(
  name: Name,
  item: Item,
): PageModel<Name, Item, false> {
  return new PageModel(name, item, false);
}

/**
 * Like {@link page}, for a service that does not always report the total: if `total_is_minimum` is true, `total` is a
 * lower bound. Markdown then says "at least".
 */
export function openPage<const Name extends string, Item extends z.ZodType>(
  name: Name,
  item: Item,
): PageModel<Name, Item, true> {
  return new PageModel(name, item, true);
}

/** The fields of a page, in the contract's order (M15). */
export function pageShape<const Name extends string, Item extends z.ZodType>(
  name: Name,
  item: Item,
): PageShape<Name, Item> {
  const natural = z.int().min(0);
  const shape = {
    total: natural,
    count: natural,
    offset: natural,
    [name]: z.array(item),
    has_more: z.boolean(),
    next_offset: natural.nullable(),
  };
  return shape as PageShape<Name, Item>;
}
