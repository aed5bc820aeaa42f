/** One call of a tool, from raw arguments to the text and data that go back. */
import type { ResourceLink } from './definition/define-tool.ts';
import { argumentErrorText } from './result/argument-errors.ts';
import type { ToolContext } from './context/tool-context.ts';
import { deepFreeze } from './definition/registry/deep-freeze.ts';
import { errorText, isUnexpected, ToolOutputError } from './result/errors.ts';
import { sizeOfMedia, WithMedia, type Media } from './result/media.ts';
import { pageOf, type Page } from './result/pagination.ts';
import type { RegisteredTool } from './definition/registry/registry.ts';

export interface ToolResult {
  /** Markdown or JSON as asked, the sentence for an empty result, or an error's text. */
  readonly text: string;
  /** The whole output; none with an error. */
  readonly structured?: Record<string, unknown>;
  /** Resources that the output leads to. */
  readonly links?: readonly ResourceLink[];
  readonly media?: readonly Media[];
  readonly isError: boolean;
}

export interface CallOptions {
  /**
   * The most that a result may have as text, and as JSON data, in UTF-16 units: some clients show a model the
   * data alone. A longer list is given with fewer items; what cannot be shortened is an error. Text is never
   * cut. 25,000.
   */
  readonly sizeLimit?: number;
  /** The most that a result's media may have, in bytes. 4 MiB. */
  readonly mediaLimit?: number;
  /** Told of what the error table has no row for: a fault of this server's or the upstream's. */
  readonly onUnexpected?: (error: unknown, tool: string) => void;
}

type Output = Record<string, unknown>;

/**
 * Parses, runs and formats. What goes wrong is text with `isError` (M32).
 *
 * @param rawArguments As they came over the wire.
 * @throws The signal's reason when the caller is gone: nobody reads an answer then.
 */
export async function callTool(
  tool: RegisteredTool,
  rawArguments: unknown,
  context: ToolContext,
  options: CallOptions = {},
): Promise<ToolResult> {
  try {
    const parsed = tool.input.safeParse(rawArguments ?? {});
    if (!parsed.success) return failure(argumentErrorText(tool.input, rawArguments ?? {}));
    // A later assignment cannot break what was parsed (M09).
    const args = deepFreeze(parsed.data);
    const given: unknown = await tool.handler(args, context);
    context.cancellation.throwIfAborted();
    const media = given instanceof WithMedia ? given.media : undefined;
    const output = tool.output.safeParse(given instanceof WithMedia ? given.output : given);
    if (!output.success) throw new ToolOutputError(tool.name, output.error);
    const result = resultOf(tool, output.data, args, options.sizeLimit ?? 25_000);
    return media ? besideMedia(tool, result, media, options.mediaLimit) : result;
  } catch (error) {
    context.cancellation.throwIfAborted();
    if (isUnexpected(error)) options.onUnexpected?.(error, tool.name);
    return failure(errorText(error, !tool.annotations.readOnlyHint));
  }
}

function besideMedia(
  tool: RegisteredTool,
  result: ToolResult,
  media: readonly Media[],
  mediaLimit = 4 * 1024 * 1024,
): ToolResult {
  if (result.isError) return result;
  const size = sizeOfMedia(media);
  if (size > mediaLimit) return failure(tooLargeText(tool, `${size} bytes`, mediaLimit));
  return { ...result, media };
}

function failure(text: string): ToolResult {
  return { text, isError: true };
}

function resultOf(
  tool: RegisteredTool,
  whole: Output,
  args: Output,
  sizeLimit: number,
): ToolResult {
  const empty = tool.empty?.(whole, args);
  const result =
    empty === undefined
      ? rendered(tool, whole, args)
      : { text: empty, structured: whole, isError: false };
  const fitting = isOver(result, sizeLimit) ? shortened(tool, whole, args, sizeLimit) : result;
  if (!fitting?.structured)
    return failure(tooLargeText(tool, `${sizeOf(result)} characters`, sizeLimit));
  const links = tool.links?.(fitting.structured);
  return links === undefined ? fitting : { ...fitting, links };
}

/** As many items as fit; undefined when not one does, or when the output model wants more. */
function shortened(
  tool: RegisteredTool,
  whole: Output,
  args: Output,
  sizeLimit: number,
): ToolResult | undefined {
  const items = tool.list === undefined ? undefined : whole[tool.list];
  if (!Array.isArray(items)) return undefined;
  const first = (count: number): ToolResult => {
    // What was found is at least what is here: else dropped items would count as none.
    const { total, offset } = whole as unknown as Page;
    const page = pageOf({ total: Math.max(total, offset + items.length), count, offset });
    const fewer = { ...whole, ...page, [tool.list ?? '']: items.slice(0, count) };
    return rendered(tool, fewer, args);
  };
  let fitting: ToolResult | undefined;
  let [fits, over] = [0, items.length];
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    const candidate = first(middle);
    if (isOver(candidate, sizeLimit)) over = middle;
    else [fits, fitting] = [middle, candidate];
  }
  return fitting && tool.output.safeParse(fitting.structured).success ? fitting : undefined;
}

/** Text and data, each. What is certainly below the limit is not written out to be measured. */
function isOver(result: ToolResult, sizeLimit: number): boolean {
  if (result.text.length > sizeLimit) return true;
  return longestJson(result.structured) > sizeLimit && sizeOf(result) > sizeLimit;
}

function sizeOf({ text, structured }: ToolResult): number {
  return Math.max(text.length, JSON.stringify(structured).length);
}

/** No shorter than the value's JSON, and found in a fraction of the time: each character may be an escape. */
function longestJson(value: unknown): number {
  if (typeof value === 'string') return value.length * 6 + 2;
  if (typeof value !== 'object' || value === null) return 25;
  let length = 2;
  for (const key in value) {
    length += key.length * 6 + 4 + longestJson((value as Record<string, unknown>)[key]);
  }
  return length;
}

const pageFields = new Set(['limit', 'offset', 'response_format']);

function tooLargeText(
  { annotations, input, narrowBy }: RegisteredTool,
  size: string,
  sizeLimit: number,
): string {
  const fact = `the result is too large: ${size}, and ${sizeLimit} are the most`;
  if (!annotations.readOnlyHint) {
    return `Error: It is done, but ${fact}. Do not call this again; read what you need of it otherwise.`;
  }
  const names = narrowBy ?? Object.keys(input.shape).filter((name) => !pageFields.has(name));
  const remedy =
    names.length === 0
      ? 'No argument of this tool makes it smaller.'
      : `Narrow it by ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)}.`;
  return `Error: T${fact.slice(1)}. ${remedy}`;
}

function rendered(tool: RegisteredTool, structured: Output, args: Output): ToolResult {
  if (args.response_format === 'json') {
    return { text: JSON.stringify(structured), structured, isError: false };
  }
  let { text } = tool.markdown(structured, args);
  if (tool.list !== undefined) {
    const { count, has_more, next_offset } = structured as unknown as Page;
    // Where nothing came, the next offset is this one: nobody is to ask for it again and again.
    if (has_more && count > 0)
      text = `${text.trimEnd()}\n\nMore results: offset ${next_offset ?? ''}.`;
  }
  return { text, structured, isError: false };
}
