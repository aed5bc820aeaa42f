/** Parses a response by the shape that a tool needs. */
import type { z } from 'zod';
import { noContent, UpstreamResponseError } from '../../result/errors.ts';
import { PageModel } from '../../result/pagination.ts';

/** The fields of a zod definition by which a path is followed. */
interface Definition {
  readonly type?: string;
  readonly innerType?: z.core.$ZodType;
  readonly out?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly shape?: Readonly<Record<PropertyKey, z.core.$ZodType>>;
}

/** The names on the way to a field: `users`, `3`, `email`. A key that the shape does not name is `*`. */
function wayTo(
  model: z.core.$ZodType | undefined,
  [step, ...rest]: readonly PropertyKey[],
): readonly string[] {
  if (step === undefined) return [];
  const { shape = {}, element } = definitionOf(model);
  if (typeof step === 'number') return [String(step), ...wayTo(element, rest)];
  const field = Object.hasOwn(shape, step) ? shape[step] : undefined;
  return [field ? String(step) : '*', ...wayTo(field, rest)];
}

/** That of the schema within an optional one, one with a default, or a pipe. */
function definitionOf(schema: z.core.$ZodType | undefined): Definition {
  const definition: Definition = schema?._zod.def ?? {};
  const inner = definition.innerType ?? (definition.type === 'pipe' ? definition.out : undefined);
  return inner ? definitionOf(inner) : definition;
}

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
  // Fields by the names that the shape gives them: names and values of the response are text of the upstream.
  throw new UpstreamResponseError('The answer has not the shape it should have', {
    cause: error.issues
      .map(({ path, code }) => `${wayTo(model, path).join('.') || 'the answer'}: ${code}`)
      .join(', '),
  });
}
