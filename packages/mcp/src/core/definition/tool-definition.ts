/** A tool as the server runs it: name, annotations, models, documentation and handler (M04, M07 to M09). `tool()` makes one. */
import type { z } from 'zod';
import type { ToolContext } from '../context/tool-context.ts';
import type { Markdown } from '../result/markdown.ts';
import type { WithMedia } from '../result/media.ts';

/** All five are required: clients use them to display a tool and to ask for confirmation (M08). */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The source of the tool's description, with the field descriptions of the input model (M04, M07). */
export interface ToolDocumentation {
  /** One sentence. */
  readonly purpose: string;
  readonly whenToUse: readonly string[];
  readonly whenNotToUse: readonly string[];
  readonly returns: string;
  /** Errors beyond those that every tool can return. */
  readonly errors: readonly string[];
  readonly examples: readonly string[];
}

/**
 * A strict object, created with `z.strictObject`: it rejects unknown fields instead of dropping them (M09). zod's
 * types do not distinguish it from `z.object`, so the registry checks it at startup.
 */
export type StrictObject = z.ZodObject<z.ZodRawShape, z.core.$strict>;

export type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

/** A resource that a result links to. */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
}

export interface ToolDefinition<
  Input extends StrictObject = StrictObject,
  Output extends StrictObject = StrictObject,
  State = unknown,
> {
  /** `<service>_<action>_<object>` (M02). */
  readonly name: string;
  readonly annotations: ToolAnnotations;
  /** Groups by which an operator can select this tool (`MCP_TOOLS`). */
  readonly toolsets?: readonly string[];
  /**
   * Scopes that an OAuth caller's token needs for this tool, in addition to `MCP_OAUTH_SCOPE`. Does not apply to
   * other callers, who have no scopes.
   */
  readonly scopes?: readonly string[];
  readonly input: Input;
  readonly output: Output;
  readonly documentation: ToolDocumentation;
  /**
   * Performs the call. The arguments are validated and frozen (M09); `output` parses the result. To add media,
   * return `withMedia(output, image(…))`. An error becomes a text from the error table.
   */
  handler(
    args: DeepReadonly<z.output<Input>>,
    context: ToolContext<State>,
  ): Promise<z.input<Output> | WithMedia<z.input<Output>>>;
  /** Renders the output as Markdown (M12). */
  markdown(output: z.output<Output>, args: DeepReadonly<z.output<Input>>): Markdown;
  /** Returns a sentence for an empty result, used in both formats. */
  empty?(output: z.output<Output>, args: DeepReadonly<z.output<Input>>): string | undefined;
  /**
   * Returns resource links, sent with the text. Many clients only let the user open them, and never read them for
   * the model.
   */
  links?(output: z.output<Output>): readonly ResourceLink[];
  /** The array of the output that may be shortened if the result is too large. The pagination fields are adjusted. */
  readonly list?: Extract<keyof z.output<Output>, string>;
  /**
   * The arguments that make a result smaller. The model reads their names if the result is too large and cannot be
   * shortened. Default: all of the tool's own arguments.
   */
  readonly narrowBy?: readonly Extract<keyof z.output<Input>, string>[];
}
