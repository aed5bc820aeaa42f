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
 * The output fields of a list tool, in the contract's order (M15): `output: z.strictObject(pageShape('users',
 * user))` with `list: 'users'`.
 *
 * @param name The name of the array, such as `users`.
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
 * Like {@link pageShape}, for a service that does not always report the total: if `total_is_minimum` is true,
 * `total` is a lower bound. Markdown then says "at least".
 */
export function openPageShape<const Name extends string, Item extends z.ZodType>(
  name: Name,
  item: Item,
): PageShape<Name, Item> & { total_is_minimum: z.ZodBoolean } {
  const total_is_minimum = z.boolean().describe('There may be more than total.');
  return { ...pageShape(name, item), total_is_minimum };
}
