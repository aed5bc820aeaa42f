/** Protocol errors. Their messages are sent to the client unchanged. */
import type { z } from 'zod';
import { oneLine } from '../core/result/format.ts';

export const codes = {
  invalidRequest: -32600,
  parseError: -32700,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** A client answers with it, too. */
  requestTimeout: -32001,
  /** Older era only; the modern era uses `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

export interface Fault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The answer to a call that the end of the server cuts. */
export const shuttingDown: Fault = {
  code: codes.internalError,
  message: 'The server is shutting down',
};

export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: Readonly<Record<string, unknown>>,
    /** The HTTP status in the modern era. 200 for an error of a request's handler. */
    readonly httpStatus: 200 | 400 | 404 = 200,
  ) {
    super(message);
  }
}

/** Returns the JSON-RPC error object for an error thrown by {@link Dispatch}. */
export function errorOf(error: unknown): Fault {
  if (!(error instanceof ProtocolError)) {
    return { code: codes.internalError, message: 'Internal error' };
  }
  const { code, message, data } = error;
  return { code, message, ...(data && { data }) };
}

/** Truncates text of the client and puts it on one line, so that a response does not grow with the request. */
export function echo(text: string): string {
  return oneLine(text, 80);
}

/** @throws ProtocolError (-32602) that names the first invalid field. */
export function parseParams<Schema extends z.ZodType>(
  schema: Schema,
  params: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  const field = problem?.path.map(String).join('.');
  const reason = oneLine(problem?.message ?? '', 160);
  throw new ProtocolError(
    codes.invalidParams,
    field ? `Invalid params: ${echo(field)}: ${reason}` : `Invalid params: ${reason}`,
  );
}

/** For lists without pages, which never return a cursor. */
export function refuseCursor(params: unknown): void {
  if ((params as { cursor?: unknown } | undefined)?.cursor !== undefined) {
    throw new ProtocolError(
      codes.invalidParams,
      'Invalid params: cursor: this list has no pages, request it without a cursor',
    );
  }
}
