/** Runs one tool call: from the raw arguments to the text and structured data of the result. */
import { z } from 'zod';
import type { ResourceLink } from './definition/tool-definition.ts';
import { argumentErrorText } from './result/argument-errors.ts';
import type { ToolContext } from './context/tool-context.ts';
import { deepFreeze } from './definition/registry/deep-freeze.ts';
import { doneText, errorText, isUnexpected, ToolOutputError } from './result/errors.ts';
import { mediaModel, sizeOfMedia, WithMedia, type Media } from './result/media.ts';
import { pageOf, type Page } from './result/pagination.ts';
import type { RegisteredTool } from './definition/registry/registry.ts';

export interface ToolResult {
  /** Markdown or JSON, by `response_format`; the sentence for an empty result; or an error text. */
  readonly text: string;
  /** The complete output. Absent for an error. */
  readonly structured?: Record<string, unknown>;
  readonly links?: readonly ResourceLink[];
  readonly media?: readonly Media[];
  readonly isError: boolean;
}

export interface ResultLimits {
  /**
   * Limit, in UTF-16 code units, that applies to the text and to the JSON data separately, because some clients
   * show the model the data only. A longer list is returned with fewer items; any other result over the limit is an
   * error. Text is never truncated.
   */
  readonly resultSize: number;
  /** Limit for the media of a result, and for a resource, in bytes. */
  readonly mediaBytes: number;
}

export const resultLimits: ResultLimits = { resultSize: 25_000, mediaBytes: 4 * 1024 * 1024 };

/** Default: {@link resultLimits}. */
interface CallOptions extends Partial<ResultLimits> {
  /** Called for an error that has no row in the error table: a defect of this server or of the upstream. */
  readonly onUnexpected?: (error: unknown) => void;
}

type Output = Record<string, unknown>;
type Arguments = Parameters<RegisteredTool['handler']>[0];

const linksModel = z.array(
  z.object({
    uri: z.string(),
    name: z.string(),
    title: z.string().exactOptional(),
    description: z.string().exactOptional(),
    mimeType: z.string().exactOptional(),
    size: z.int().nonnegative().exactOptional(),
  }),
);

/**
 * Parses the arguments, runs the tool and formats its result. A failure becomes a result with `isError` (M32).
 *
 * @throws The abort reason of `context.cancellation` if the caller cancelled, because no client reads the result.
 */
export async function callTool(
  tool: RegisteredTool,
  rawArguments: unknown,
  context: ToolContext,
  { resultSize, mediaBytes, onUnexpected }: CallOptions = {},
): Promise<ToolResult> {
  const isWrite = !tool.annotations.readOnlyHint;
  /** The handler returned: whatever fails from here on, the changes are made. */
  let isDone = false;
  try {
    const input = tool.input.safeParse(rawArguments ?? {});
    if (!input.success) return failure(argumentErrorText(tool.input, rawArguments ?? {}));
    // Frozen: the handler cannot change validated arguments (M09).
    const args = deepFreeze(input.data) as Arguments;
    const given: unknown = await tool.handler(args, context);
    isDone = isWrite;
    context.cancellation.throwIfAborted();
    const media = given instanceof WithMedia ? given.media : undefined;
    const output = parsed(tool, tool.output, given instanceof WithMedia ? given.output : given);
    const result = resultOf(tool, output, args, resultSize ?? resultLimits.resultSize);
    return media ? besideMedia(tool, result, parsed(tool, mediaModel, media), mediaBytes) : result;
  } catch (error) {
    context.cancellation.throwIfAborted();
    if (isUnexpected(error)) onUnexpected?.(error);
    // A model that read only the error would repeat the call.
    if (isDone) return failure(doneText(errorText(error)));
    return failure(errorText(error, isWrite ? context.written : 'no'));
  }
}

/** @throws ToolOutputError if the handler returned something else than its types say. */
function parsed<Model extends z.ZodType>(
  tool: RegisteredTool,
  model: Model,
  given: unknown,
): z.output<Model> {
  const { success, data, error } = model.safeParse(given);
  if (!success) throw new ToolOutputError(tool.name, error);
  return data;
}

function besideMedia(
  tool: RegisteredTool,
  result: ToolResult,
  media: readonly Media[],
  mediaLimit = resultLimits.mediaBytes,
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
  args: Arguments,
  sizeLimit: number,
): ToolResult {
  const empty = tool.empty?.(whole, args);
  const result =
    empty === undefined
      ? rendered(tool, whole, args)
      : { text: empty, structured: whole, isError: false };
  if (typeof result.text !== 'string') throw new ToolOutputError(tool.name);
  const fitting = isOver(result, sizeLimit) ? shortened(tool, whole, args, sizeLimit) : result;
  if (!fitting?.structured)
    return failure(tooLargeText(tool, `${sizeOf(result)} characters`, sizeLimit));
  const links = tool.links?.(fitting.structured);
  return links === undefined ? fitting : { ...fitting, links: parsed(tool, linksModel, links) };
}

/** Returns as many items as fit. Undefined if none fits, or if the output model rejects the shortened list. */
function shortened(
  tool: RegisteredTool,
  whole: Output,
  args: Arguments,
  sizeLimit: number,
): ToolResult | undefined {
  const items = tool.list === undefined ? undefined : whole[tool.list];
  if (!Array.isArray(items)) return undefined;
  const first = (count: number): ToolResult => {
    // `total` is at least the number of items found; otherwise the dropped items would not be counted.
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

/** Compares the text and the data with the limit separately. Data whose upper bound fits is not serialized. */
function isOver(result: ToolResult, sizeLimit: number): boolean {
  if (result.text.length > sizeLimit) return true;
  return longestJson(result.structured) > sizeLimit && sizeOf(result) > sizeLimit;
}

function sizeOf({ text, structured }: ToolResult): number {
  return Math.max(text.length, JSON.stringify(structured).length);
}

/**
 * Returns an upper bound for the length of the value's JSON (each character may become a six-character `\uXXXX`
 * escape). Much cheaper than serializing the value.
 */
function longestJson(value: unknown): number {
  if (typeof value === 'string') return value.length * 6 + 2;
  // Thrown here it becomes an error result. JSON.stringify would throw it once the response is being sent.
  if (typeof value === 'bigint') throw new TypeError('JSON has no BigInt');
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

function rendered(tool: RegisteredTool, structured: Output, args: Arguments): ToolResult {
  if (args.response_format === 'json') {
    return { text: JSON.stringify(structured), structured, isError: false };
  }
  let { text } = tool.markdown(structured, args);
  if (tool.list !== undefined) {
    const { count, has_more, next_offset } = structured as unknown as Page;
    // For an empty page, `next_offset` equals `offset`: a model that followed it would loop.
    if (has_more && count > 0)
      text = `${text.trimEnd()}\n\nMore results: offset ${next_offset ?? ''}.`;
  }
  return { text, structured, isError: false };
}
