/** One call of a tool, from raw arguments to the text and data that go back. */
import { argumentErrorText, argumentSentence } from './result/argument-errors.ts';
import type { ToolContext } from './context/tool-context.ts';
import { deepFreeze } from './definition/deep-freeze.ts';
import { errorText, isUnexpected, ToolOutputError } from './result/errors.ts';
import { pageOf, type Page } from './result/pagination.ts';
import type { RegisteredTool } from './definition/registry.ts';

export interface ToolResult {
  /** Markdown or JSON as asked, the sentence for an empty result, or an error's text. */
  readonly text: string;
  /** The whole output; none with an error. */
  readonly structured?: Record<string, unknown>;
  readonly isError: boolean;
}

export interface CallOptions {
  /**
   * The longest text of a list, in UTF-16 units: what is longer is given with fewer items. One item,
   * and a result that is no list, is given whole: text is never cut. 25,000.
   */
  readonly textLimit?: number;
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
    const parsed = tool.input.safeParse(rawArguments ?? {}, { error: argumentSentence });
    if (!parsed.success) return failure(argumentErrorText(parsed.error));
    // A later assignment cannot break what was parsed (M09).
    const args = deepFreeze(parsed.data);
    const given: unknown = await tool.handler(args, context);
    context.cancellation.throwIfAborted();
    const output = tool.output.safeParse(given);
    if (!output.success) throw new ToolOutputError(tool.name, output.error);
    return resultOf(tool, output.data, args, options.textLimit ?? 25_000);
  } catch (error) {
    context.cancellation.throwIfAborted();
    if (isUnexpected(error)) options.onUnexpected?.(error, tool.name);
    return failure(errorText(error));
  }
}

function failure(text: string): ToolResult {
  return { text, isError: true };
}

function resultOf(
  tool: RegisteredTool,
  whole: Output,
  args: Output,
  textLimit: number,
): ToolResult {
  const empty = tool.empty?.(whole, args);
  if (empty !== undefined) return { text: empty, structured: whole, isError: false };

  const result = rendered(tool, whole, args);
  const items = tool.list === undefined ? undefined : whole[tool.list];
  if (result.text.length <= textLimit || !Array.isArray(items) || items.length < 2) return result;

  const first = (count: number): ToolResult => {
    // What was found is at least what is here: else dropped items would count as none.
    const { total, offset } = whole as unknown as Page;
    const page = pageOf({ total: Math.max(total, offset + items.length), count, offset });
    const fewer = { ...whole, ...page, [tool.list ?? '']: items.slice(0, count) };
    return rendered(tool, fewer, args);
  };
  let fitting: ToolResult | undefined;
  let [fits, over] = [1, items.length];
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    const candidate = first(middle);
    if (candidate.text.length <= textLimit) [fits, fitting] = [middle, candidate];
    else over = middle;
  }
  return fitting ?? first(1);
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
