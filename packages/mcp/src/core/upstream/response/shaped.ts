/** Parses a response by the shape that a tool needs. */
import type { z } from 'zod';
import { noContent, UpstreamResponseError } from '../../result/errors.ts';
import { PageModel } from '../../result/pagination.ts';

/**
 * Returns the response with the fields that the shape names: a zod model, or a `page` for an answer with its items and
 * `total`.
 *
 * @throws UpstreamResponseError if the response has another shape. The log says which field.
 */
export function shaped<Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape>;
export function shaped<Name extends string, Item extends z.ZodType>(
  shape: PageModel<Name, Item>,
  body: unknown,
): Readonly<Record<Name, z.output<Item>[]>> & { readonly total: number };
export function shaped(shape: z.ZodType | PageModel, body: unknown): unknown {
  const model = shape instanceof PageModel ? shape.found : shape;
  const { success, data, error } = model.safeParse(body);
  if (success) return data;
  if (body === undefined) throw new UpstreamResponseError(noContent);
  // The message omits names and values of the response, because they are text of the upstream.
  throw new UpstreamResponseError('The answer has not the shape it should have', {
    cause: error.issues.map(({ code }) => code).join(', '),
  });
}
