/** What can go wrong in a tool, and the one table that turns each into the text a model reads (M32, M33). */
import { oneLine } from './format.ts';
import { line } from './markdown.ts';

/** The upstream answered with a status outside 200–299. Redirects are not followed, so they are here too. */
export class UpstreamStatusError extends Error {
  override readonly name = 'UpstreamStatusError';
  constructor(
    readonly status: number,
    /** The `Retry-After` header as it came. */
    readonly retryAfter?: string,
    /** The service's own words, where a request asked for them: `explained`. */
    readonly reason?: string,
  ) {
    super(`The upstream answered with status ${status}`);
  }
}

/** No whole answer came before the deadline. */
export class UpstreamTimeoutError extends Error {
  override readonly name = 'UpstreamTimeoutError';
}

/** No connection, or it broke before the answer was whole. */
export class UpstreamConnectionError extends Error {
  override readonly name = 'UpstreamConnectionError';
}

/** An answer that is not JSON, is too large, or has not the shape that the tool needs. */
export class UpstreamResponseError extends Error {
  override readonly name = 'UpstreamResponseError';
}

/** The message of an {@link UpstreamResponseError} for an answer of success that has no content. */
export const noContent = 'The answer has no content';

/** A tool's result is not what its output model says: the server's own fault. */
export class ToolOutputError extends Error {
  override readonly name = 'ToolOutputError';
  constructor(tool: string, cause: unknown) {
    super(`What ${tool} gave is not as its output model says`, { cause });
  }
}

/** The answer is known, and its text is written for the model: said as it is. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

const statusTexts: Readonly<Record<number, string>> = {
  401: 'Error: Invalid API authentication',
  403: "Error: Permission denied. You don't have access to this resource.",
  404: 'Error: Resource not found. Please check the ID is correct.',
  429: 'Error: Rate limit exceeded. Please wait before making more requests.',
};

/**
 * The text for a model. Never an address, a path or a stack; an upstream's words only as the reason that a tool
 * asked for, on a line of its own behind the table's.
 *
 * @param isWrite Of a tool that changes something: what was changed must not be changed twice.
 */
export function errorText(error: unknown, isWrite = false): string {
  if (isWrite && error instanceof UpstreamResponseError && error.message === noContent) {
    return 'Error: The service answered with success and without content. What this call was to change is changed: look at it before you call again.';
  }
  return knownText(error) ?? `Error: Unexpected error occurred: ${typeName(error)}`;
}

/** Whether the table has no row of its own for it, so that only the server's log can tell what it was. */
export function isUnexpected(error: unknown): boolean {
  return knownText(error) === undefined;
}

function knownText(error: unknown): string | undefined {
  if (error instanceof ToolError) return `Error: ${error.message}`;
  if (error instanceof UpstreamStatusError) {
    const text =
      statusTexts[error.status] ?? `Error: API request failed with status ${error.status}`;
    return error.reason === undefined ? text : `${text}\n${reasonLine(error.reason)}`;
  }
  if (error instanceof UpstreamTimeoutError) return 'Error: Request timed out. Please try again.';
  return undefined;
}

const longestReason = 300;

function reasonLine(reason: string): string {
  return line`The service says: ${oneLine(reason, longestReason)}`.text;
}

/** The class's name, as code wrote it. An instance's own `name` may hold anything. */
function typeName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { constructor } = error as { constructor: unknown };
  const name = typeof constructor === 'function' ? constructor.name : '';
  return /^[\w$]{1,80}$/.test(name) ? name : 'Error';
}
