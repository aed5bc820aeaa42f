/** How an author writes a tool: its own fields only. Whatever every tool has is added here. */
import { z } from 'zod';
import type { ToolContext } from '../context/tool-context.ts';
import { responseFormat } from '../result/format.ts';
import type { Markdown } from '../result/markdown.ts';
import { WithMedia } from '../result/media.ts';
import {
  limit,
  offset,
  pageOf,
  PageModel,
  type FoundItems,
  type PageOutput,
} from '../result/pagination.ts';
import type { ApiState } from '../upstream/api.ts';
import type {
  DeepReadonly,
  ResourceLink,
  ToolAnnotations,
  ToolDefinition,
} from './tool-definition.ts';

const format = { response_format: responseFormat };
const window = { limit, offset };

type Fields = z.ZodRawShape;
type Model = z.ZodObject | PageModel;

/** The arguments that a handler receives: validated, and read-only. */
export type Arguments<Input extends Fields, Output extends Model> = DeepReadonly<
  z.output<z.ZodObject<Input>> &
    z.output<z.ZodObject<typeof format>> &
    (Output extends PageModel ? z.output<z.ZodObject<typeof window>> : unknown)
>;

/** What a handler returns: for a page, the items that it found and their total. */
export type Returned<Output extends Model> =
  Output extends PageModel<infer Name, infer Item>
    ? FoundItems<Name, Item>
    : Output extends z.ZodObject
      ? z.input<Output>
      : never;

/** What `markdown` and `empty` receive: for a page, with `count`, `offset`, `has_more` and `next_offset`. */
export type Rendered<Output extends Model> =
  Output extends PageModel<infer Name, infer Item, infer Open>
    ? PageOutput<Name, Item, Open>
    : Output extends z.ZodObject
      ? z.output<Output>
      : never;

export interface ToolSpec<Input extends Fields, Output extends Model, State> {
  /** `<service>_<action>_<object>` (M02). */
  readonly name: string;
  /** Groups by which an operator can select this tool (`MCP_TOOLS`). */
  readonly toolsets?: readonly string[];
  /** Scopes that an OAuth caller's token needs for this tool, in addition to `MCP_OAUTH_SCOPE`. */
  readonly scopes?: readonly string[];
  /** One sentence. */
  readonly purpose: string;
  readonly whenToUse: readonly string[];
  readonly whenNotToUse: readonly string[];
  /** What the result is. */
  readonly returns: string;
  /** `reads('Search users')` or `writes('Create a project')`. */
  readonly annotations: ToolAnnotations;
  /** The tool's own arguments. `response_format`, and for a page `limit` and `offset`, are added. */
  readonly input?: Input;
  /** A model of the result, or `page('users', user)` for a list. */
  readonly output: Output;
  /** Errors beyond those that every tool can return. */
  readonly errors?: readonly string[];
  /** Arguments of whole calls. */
  readonly examples?: readonly Readonly<Record<string, unknown>>[];
  /**
   * Performs the call. To add media, return `withMedia(output, image(…))`. An error becomes a text from the error
   * table.
   */
  handler(
    args: Arguments<Input, Output>,
    context: ToolContext<State>,
  ): Promise<Returned<Output> | WithMedia<Returned<Output>>>;
  /** Renders the result as Markdown (M12). */
  markdown(output: Rendered<Output>, args: Arguments<Input, Output>): Markdown;
  /** A sentence for an empty result, in both formats. Of a page it is asked for only if nothing matches at all. */
  empty?(output: Rendered<Output>, args: Arguments<Input, Output>): string | undefined;
  /** Resource links, sent with the text. Many clients only let the user open them. */
  links?(output: Rendered<Output>): readonly ResourceLink[];
  /** The arguments that make a result smaller, for the text of one that is too large. Default: all of its own. */
  readonly narrowBy?: readonly Extract<keyof Input, string>[];
}

/**
 * Makes a tool: `tool({ name, annotations: reads('Search users'), purpose, …, input, output, handler, markdown })`. Its
 * description and schemas come from this object alone (M04).
 */
export function tool<
  Output extends Model,
  State = ApiState,
  // eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- No arguments of its own.
  const Input extends Fields = Record<never, never>,
>(spec: ToolSpec<Input, Output, State>): ToolDefinition<State> {
  const { errors = [], examples = [] } = spec;
  const pages = spec.output instanceof PageModel ? spec.output : undefined;
  // The types of the spec are those of its own models, which the compiler checked.
  const own = spec as unknown as ToolDefinition;
  return {
    ...own,
    input: z.strictObject({ ...spec.input, ...(pages && window), ...format }),
    output: pages ? pages.output : (spec.output as z.ZodObject).strict(),
    errors,
    examples: examples.map((example) => JSON.stringify(example)),
    ...(pages && asPages(own, pages)),
  };
}

type Found = Readonly<Record<string, unknown>> & {
  readonly total: number;
  readonly isTotalKnown?: boolean;
};
type Window = { readonly limit: number; readonly offset: number };

/** Cuts what was found to the window, and adds the fields of a page (M15). */
function asPages(
  own: ToolDefinition,
  pages: PageModel,
): Pick<ToolDefinition, 'list' | 'handler' | 'empty'> {
  const { list, isOpen } = pages;
  const pageWith = (given: unknown, requested: Window): Record<string, unknown> => {
    const { [list]: named, items = named, total, isTotalKnown } = (given ?? {}) as Found;
    // Not a page: its model says what is wrong with it.
    if (!Array.isArray(items)) return given as Record<string, unknown>;
    const shown = items.slice(0, requested.limit) as unknown[];
    return {
      ...pageOf({ total, count: shown.length, offset: requested.offset }),
      [list]: shown,
      ...(isOpen && { total_is_minimum: isTotalKnown === false }),
    };
  };
  return {
    list,
    async handler(args, context) {
      const given = await own.handler(args, context);
      const requested = args as unknown as Window;
      return given instanceof WithMedia
        ? new WithMedia(pageWith(given.output, requested), given.media)
        : pageWith(given, requested);
    },
    ...(own.empty && {
      // A page past the last one is empty as well, but does not mean that nothing matches.
      empty: (output, args) =>
        output['count'] === 0 && output['total'] === 0 ? own.empty?.(output, args) : undefined,
    }),
  };
}

interface Hints {
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  /** Whether it reaches something outside of this server. Default: true. */
  readonly openWorld?: boolean;
}

/** The annotations of a tool that changes nothing (M08). */
export function reads(
  title: string,
  { openWorld = true }: Pick<Hints, 'openWorld'> = {},
): ToolAnnotations {
  return {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: openWorld,
  };
}

/** The annotations of a tool that changes something: `writes('Delete a project', { destructive: true })` (M08). */
export function writes(
  title: string,
  { destructive = false, idempotent = false, openWorld = true }: Hints = {},
): ToolAnnotations {
  return {
    title,
    readOnlyHint: false,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  };
}

/** A field that the service may omit or send as null: absent in the result in both cases. */
export function optional<Field extends z.ZodType>(field: Field) {
  return z.preprocess((value) => value ?? undefined, field.optional());
}
