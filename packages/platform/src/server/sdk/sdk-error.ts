/** Shared by all resources of the SDK: the error of a failed operation, and the shape of a file. */
import type { PlatformErrorCode } from '../../error-codes.ts';

/** A failed operation. Neither its message nor its fields contain anything from the platform. */
export class PlatformSdkError extends Error {
  override name = 'PlatformSdkError';
  /** Extra headers for a resource route's response. */
  readonly headers: Record<string, string>;
  constructor(
    /** The status for the site's response. */
    readonly status: number,
    readonly code: PlatformErrorCode,
    { headers = {}, ...options }: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(code, options);
    this.headers = headers;
  }
}

/**
 * The status and code of a refused operation, for an action that returns words beside its form. Any
 * other route lets the error propagate: the server responds with its status.
 *
 * @throws whatever else was thrown.
 */
export function refusalIn(error: unknown): Pick<PlatformSdkError, 'status' | 'code'> {
  if (!(error instanceof PlatformSdkError)) throw error;
  return { status: error.status, code: error.code };
}

/** The request's `Range` and `If-Range` headers, unparsed (RFC 9110, section 14). */
export interface FilePart {
  range?: string | undefined;
  ifRange?: string | undefined;
}

/** A file whose bytes, type, extension and filename agree (W27). */
export interface PlatformFile {
  /** 206 for a range. */
  status: 200 | 206;
  /** Read or cancel it: it holds a connection to the platform. */
  body: ReadableStream<Uint8Array>;
  contentType: string;
  filename: string;
  /** Length, range and validator, if the platform sends them. */
  headers: Record<string, string>;
}
