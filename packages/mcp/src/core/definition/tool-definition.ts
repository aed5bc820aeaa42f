/** A tool as the server runs it: name, annotations, models, documentation and handler (M04, M07 to M09). `tool()` makes one. */
import type { z } from 'zod';
import type { ToolSpec } from './tool.ts';

/** All five are required: clients use them to display a tool and to ask for confirmation (M08). */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
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

/**
 * A tool with the whole models of its input and output. Its types are gone: the compiler checked them in the spec. The
 * arguments are validated and frozen (M09), and `output` parses what the handler returns.
 */
export interface ToolDefinition<State = unknown> extends Omit<
  ToolSpec<z.ZodRawShape, z.ZodObject, State>,
  'input' | 'output' | 'errors' | 'examples'
> {
  readonly input: StrictObject;
  readonly output: StrictObject;
  readonly errors: readonly string[];
  /** As JSON. */
  readonly examples: readonly string[];
  /** The array of the output that may be shortened if the result is too large. The pagination fields are adjusted. */
  readonly list?: string;
}
