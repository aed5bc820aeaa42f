/** What a failed operation throws, and the shape of a file: what all resources of the SDK share. */
import type { PlatformErrorCode } from '~/platform/error-codes';

/** A failed operation. Neither message nor fields hold anything the platform said. */
export class PlatformSdkError extends Error {
  override name = 'PlatformSdkError';
  /** Further headers for a resource's answer. */
  readonly headers: Record<string, string>;
  constructor(
    /** The status the site answers with. */
    readonly status: number,
    readonly code: PlatformErrorCode,
    { headers = {}, ...options }: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(code, options);
    this.headers = headers;
  }
}

/** A request's `Range` and `If-Range`, as they came (RFC 9110, section 14). */
export interface FilePart {
  range?: string | undefined;
  ifRange?: string | undefined;
}

/** A file whose bytes, type, extension and filename agree (W27). */
export interface PlatformFile {
  /** 206 for a part of it. */
  status: 200 | 206;
  /** Read it or cancel it: it holds a connection to the platform. */
  body: ReadableStream<Uint8Array>;
  contentType: string;
  filename: string;
  /** Length, range and validator, as far as the platform sends them. */
  headers: Record<string, string>;
}
