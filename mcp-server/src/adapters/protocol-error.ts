/** Errors of the protocol itself, said to the client as they are written here. */
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { oneLine } from '../core/result/format.ts';

/** JSON-RPC's and MCP's error codes. */
export const codes = {
  invalidRequest: ErrorCode.InvalidRequest,
  parseError: ErrorCode.ParseError,
  methodNotFound: ErrorCode.MethodNotFound,
  invalidParams: ErrorCode.InvalidParams,
  internalError: ErrorCode.InternalError,
  /** Of the older era alone: the modern one says `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** Becomes a JSON-RPC error object. (The SDK's own McpError puts its code into the message.) */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: Readonly<Record<string, unknown>>,
    /** In the modern era an error of the request itself has a status of HTTP's; one of its handler has none. */
    readonly httpStatus: 200 | 400 | 404 = 200,
  ) {
    super(message);
  }
}

/** The JSON-RPC error object for what {@link Dispatch} throws. */
export function errorOf(error: unknown): { code: number; message: string; data?: unknown } {
  if (!(error instanceof ProtocolError)) {
    return { code: codes.internalError, message: 'Internal error' };
  }
  const { code, message, data } = error;
  return { code, message, ...(data && { data }) };
}

/** A caller's own words, cut and on one line, so that no answer grows by what was asked. */
export function echo(text: string): string {
  return oneLine(text, 80);
}

/** @throws ProtocolError (-32602) that names the first field at fault. */
export function parseParams<Schema extends z.ZodType>(
  schema: Schema,
  params: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  const field = problem?.path.map(String).join('.');
  throw new ProtocolError(
    codes.invalidParams,
    field ? `Invalid params: ${echo(field)}` : 'Invalid params',
  );
}

/** For the lists that come whole: no cursor was ever given out. */
export function refuseCursor(params: unknown): void {
  if ((params as { cursor?: unknown } | undefined)?.cursor !== undefined) {
    throw new ProtocolError(codes.invalidParams, 'Invalid params: cursor');
  }
}
