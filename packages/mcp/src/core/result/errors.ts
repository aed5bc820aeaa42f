/** The errors that a tool can throw, and the table that maps each to the text that the model reads (M32, M33). */
import { oneLine, truncated } from './format.ts';
import { line } from './markdown.ts';

/** The upstream responded with a status outside 200–299. Includes redirects, which are not followed. */
export class UpstreamStatusError extends Error {
  override readonly name = 'UpstreamStatusError';
  constructor(
    readonly status: number,
    /** The value of the `Retry-After` header. */
    readonly retryAfter?: string,
    /** The service's explanation, for a request that asked for it with `explained`. */
    readonly reason?: string,
  ) {
    super(`The upstream answered with status ${status}`);
  }
}

/** No complete response before the deadline. */
export class UpstreamTimeoutError extends Error {
  override readonly name = 'UpstreamTimeoutError';
}

/** The connection failed, or closed before the response was complete. */
export class UpstreamConnectionError extends Error {
  override readonly name = 'UpstreamConnectionError';
}

/** The response is too large, not JSON, or does not have the expected shape. */
export class UpstreamResponseError extends Error {
  override readonly name = 'UpstreamResponseError';
}

/** The message of an {@link UpstreamResponseError} for a successful response without content. */
export const noContent = 'The answer has no content';
/** The same for a response that should be JSON, and is a word or a page. */
export const noJson = 'The answer is not JSON';

/** A tool's result does not match its output model, or has a part of the wrong type: a defect of this server. */
export class ToolOutputError extends Error {
  override readonly name = 'ToolOutputError';
  constructor(tool: string, cause?: unknown) {
    super(`What ${tool} gave is not as its output model says`, { cause });
  }
}

/** An expected error whose message is written for the model and shown unchanged. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** Whether a call has changed anything at its service: `perhaps` while the response to a write is awaited. */
export type Written = 'yes' | 'perhaps' | 'no';

const statusTexts: Readonly<Record<number, string>> = {
  401: 'Error: Invalid API authentication',
  403: "Error: Permission denied. You don't have access to this resource.",
  404: 'Error: Resource not found. Please check the ID is correct.',
  429: 'Error: Rate limit exceeded. Please wait before making more requests.',
};

/**
 * Returns the error text for the model. It never contains a URL, a path or a stack. Text of the upstream appears
 * only as the reason that a tool asked for, on its own line after the table's text.
 *
 * @param written Whether the call has changed anything: a second line then warns against repeating it.
 */
export function errorText(error: unknown, written: Written = 'no'): string {
  if (written === 'no') return tableText(error);
  const warning = `A write of this call ${written === 'yes' ? 'has' : 'may have'} succeeded: look at what it changed before you call again.`;
  // Not "unexpected": the model would take it for a failure of the write itself.
  if (written === 'yes' && error instanceof UpstreamResponseError) {
    const lacks = lackedBy[error.message] ?? 'a readable body';
    return `Error: The service answered with success and without ${lacks}. ${warning}`;
  }
  return `${tableText(error)}\n${warning}`;
}

const lackedBy: Readonly<Record<string, string>> = { [noContent]: 'content', [noJson]: 'JSON' };

/** Returns the error text for a failure after the changes were made, which warns against making them again. */
export function doneText(text: string): string {
  return text.replace('Error: ', 'Error: It is done, do not call this again. But: ');
}

function tableText(error: unknown): string {
  return knownText(error) ?? `Error: Unexpected error occurred: ${typeName(error)}`;
}

/** Whether the table has no row for the error, so that only the server's log has its details. */
export function isUnexpected(error: unknown): boolean {
  return knownText(error) === undefined;
}

/** A message can contain text of the service, whose length nobody knows. */
const longestMessage = 10_000;

function knownText(error: unknown): string | undefined {
  if (error instanceof ToolError) return `Error: ${truncated(error.message, longestMessage)}`;
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

/** Returns the name of the class, as declared. The `name` property of an instance can contain anything. */
function typeName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { constructor } = error as { constructor: unknown };
  const name = typeof constructor === 'function' ? constructor.name : '';
  return /^[\w$]{1,80}$/.test(name) ? name : 'Error';
}
