/** A tool is one object: its name, annotations, models, documentation and handler (M04, M07 to M09). */
import type { z } from 'zod';
import type { ToolContext } from '../context/tool-context.ts';
import type { Markdown } from '../result/markdown.ts';
import type { WithMedia } from '../result/media.ts';

/** All five are required: a client shows and guards a tool by them (M08). */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The description is generated from this and from the input model's field descriptions (M04, M07). */
export interface ToolDocumentation {
  /** One sentence. */
  readonly purpose: string;
  readonly whenToUse: readonly string[];
  readonly whenNotToUse: readonly string[];
  readonly returns: string;
  /** Beyond those every tool may give. */
  readonly errors: readonly string[];
  readonly examples: readonly string[];
}

/**
 * A strict object: unknown fields are refused, not dropped (M09). Made by `z.strictObject`. To zod's types
 * `z.object` looks the same: the registry refuses that one at start.
 */
export type StrictObject = z.ZodObject<z.ZodRawShape, z.core.$strict>;

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

/** A resource that a result leads to. */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly mimeType?: string;
}

export interface ToolDefinition<
  Input extends StrictObject = StrictObject,
  Output extends StrictObject = StrictObject,
  State = unknown,
> {
  /** `<service>_<action>_<object>` (M02). */
  readonly name: string;
  readonly annotations: ToolAnnotations;
  /** Names under which an operator may serve this tool together with others (`MCP_TOOLS`). */
  readonly toolsets?: readonly string[];
  /**
   * What an OAuth caller's token must have been granted for this tool, beyond `MCP_OAUTH_SCOPE`. Callers of other
   * kinds have no scopes, and are not asked for any.
   */
  readonly scopes?: readonly string[];
  readonly input: Input;
  readonly output: Output;
  readonly documentation: ToolDocumentation;
  /**
   * The work. Its arguments are parsed and frozen (M09); what it gives is parsed by `output`.
   * Media stand beside it: `withMedia(output, image(…))`. What it throws becomes the error table's text.
   */
  handler(
    args: DeepReadonly<z.output<Input>>,
    context: ToolContext<State>,
  ): Promise<z.input<Output> | WithMedia<z.input<Output>>>;
  /** The result to read (M12). */
  markdown(output: z.output<Output>, args: DeepReadonly<z.output<Input>>): Markdown;
  /** A sentence for a result with nothing in it, said in either format. */
  empty?(output: z.output<Output>, args: DeepReadonly<z.output<Input>>): string | undefined;
  /** Shown beside the text: many clients let only a person open a resource, and read none for a model. */
  links?(output: z.output<Output>): readonly ResourceLink[];
  /** The output's array that may be shortened when a result is too large. Its pagination stays true. */
  readonly list?: Extract<keyof z.output<Output>, string>;
  /**
   * The arguments that make a result smaller, named to the model when it is too large and no list that could be
   * shortened. Without them every argument of the tool's own is named.
   */
  readonly narrowBy?: readonly Extract<keyof z.output<Input>, string>[];
}

/** Keeps a definition's types together; checked and frozen by the registry. */
export function defineTool<Input extends StrictObject, Output extends StrictObject, State>(
  definition: ToolDefinition<Input, Output, State>,
): ToolDefinition<Input, Output, State> {
  return definition;
}
