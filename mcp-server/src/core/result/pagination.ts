/** Pages of a list, the same in every list tool (M14, M15). */
import { z } from 'zod';

/** How many items are wanted (M14). */
export const limit = z.int().min(1).max(100).default(20).describe('Items wanted.');

/** How many items to pass over (M14). */
export const offset = z.int().min(0).default(0).describe('The next_offset of the page before.');

/** Where a page lies in the whole list (M15). */
export interface Page {
  /** Total matches. */
  readonly total: number;
  /** Items in this response. */
  readonly count: number;
  /** Offset used. */
  readonly offset: number;
  readonly has_more: boolean;
  /** `null` on the last page. */
  readonly next_offset: number | null;
}

/** The fields of a page, from the three that are known. Spread it beside the array. */
export function pageOf(known: Pick<Page, 'total' | 'count' | 'offset'>): Page {
  const { total, count, offset } = known;
  const end = offset + count;
  const has_more = total > end;
  return { total, count, offset, has_more, next_offset: has_more ? end : null };
}

type PageShape<Name extends string, Item extends z.ZodType> = {
  total: z.ZodInt;
  count: z.ZodInt;
  offset: z.ZodInt;
} & Record<Name, z.ZodArray<Item>> & {
    has_more: z.ZodBoolean;
    next_offset: z.ZodNullable<z.ZodInt>;
  };

/**
 * The output fields of a list tool, in the contract's order (M15):
 * `output: z.strictObject(pageShape('users', user))` with `list: 'users'`.
 *
 * @param name Of the array, such as `users`.
 */
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

/**
 * The same where the service does not always say how many there are: `total_is_minimum` says when `total` is only
 * the least that there can be. Markdown says "at least" then.
 */
export function openPageShape<const Name extends string, Item extends z.ZodType>(
  name: Name,
  item: Item,
): PageShape<Name, Item> & { total_is_minimum: z.ZodBoolean } {
  const total_is_minimum = z.boolean().describe('There may be more than total.');
  return { ...pageShape(name, item), total_is_minimum };
}
