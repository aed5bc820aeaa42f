/**
 * Calls for the SDK's operations. Failures become the site's error codes, and the platform's error
 * bodies stop here (W33).
 */
import type { z } from 'zod';
import type { PlatformContext } from '../guard.ts';
import type { PlatformErrorCode } from '../../error-codes.ts';
import { PlatformSdkError } from './sdk-error.ts';
import type { UpstreamCall } from '../upstream/call.ts';
import { reportUpstreamFailure, UpstreamFailure } from '../upstream/failures.ts';
import {
  RequestBodyTooLarge,
  type UpstreamStream,
  type UpstreamStreamCall,
} from '../upstream/stream.ts';
import type { Upstream } from '../upstream/upstream.ts';

/**
 * What a status means for one operation. Where it can mean several things, the record maps the
 * platform's error codes, which are compared and never passed on; `*` is any other. A status not
 * listed is the platform's fault: 502.
 */
export type ErrorCodes = Partial<
  Record<number, PlatformErrorCode | Readonly<Record<string, PlatformErrorCode>>>
>;

/** Each method throws {@link PlatformSdkError}, or whatever the request's own stream throws. */
export type SdkCalls = ReturnType<typeof createSdkCalls>;

export interface SdkCallsOptions {
  upstream: Upstream;
  context: PlatformContext;
  /** The workspace's id. Undefined: the one the visitor has chosen. */
  workspace?: string | undefined;
}

/** The visitor's signal and request id are added. A stream may have a signal of its own instead. */
type SdkCall = Omit<UpstreamCall, 'signal' | 'requestId'>;

/** Statuses that mean the same for every operation. */
const errorCodes: ErrorCodes = {
  401: 'unauthorized',
  402: 'insufficient_credits',
  403: 'forbidden',
  429: { too_many_running: 'too_many_running', '*': 'rate_limited' },
};

/** Bytes of a failed call's body to read. */
const failureMaxBytes = 64 * 1024;

export function createSdkCalls({ upstream, context, workspace }: SdkCallsOptions) {
  const { signal, requestId } = context;

  /** For the log only. */
  const report = (path: string, reason: string) => {
    reportUpstreamFailure({ path, reason, requestId });
  };

  /**
   * The error for a response that cannot be used. The reason is logged, never sent to the visitor.
   */
  const unusable = (path: string, reason: string) => {
    report(path, reason);
    return new PlatformSdkError(502, 'upstream_unavailable');
  };

  const failureOf = async (
    path: string,
    response: { status: number; contentRange?: string | undefined; text: () => Promise<string> },
    codes: ErrorCodes,
  ) => {
    const { status, contentRange = '' } = response;
    const meaning = codes[status] ?? errorCodes[status];
    const code = typeof meaning === 'object' ? meaningOf(await response.text(), meaning) : meaning;
    if (!code) return unusable(path, `status ${status}`);
    // A 416 carries the file's length.
    const headers: Record<string, string> = /^bytes \*\/\d+$/.test(contentRange)
      ? { 'content-range': contentRange }
      : {};
    return new PlatformSdkError(status, code, { headers });
  };

  const parse = <T>(schema: z.ZodType<T>, text: string, path: string): T => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      // The caught error quotes the body, which must not be logged.
      throw unusable(path, 'unexpected body');
    }
  };

  return {
    unusable,
    parse,
    /** Adds the workspace to a path. */
    inWorkspace: (path: string, query?: Record<string, string | undefined>): string =>
      withQuery(path, { ...query, workspace }),
    /** The text of a small response. */
    async send(options: SdkCall, codes: ErrorCodes = {}): Promise<string> {
      const response = await upstream.call({ ...options, signal, requestId }).catch(rethrow);
      const text = response.body.toString('utf8');
      if (isSuccess(response)) return text;
      const { status } = response;
      throw await failureOf(options.path, { status, text: () => Promise.resolve(text) }, codes);
    },
    /** The valid items of a list, at most `size`. Dropped items are logged. */
    readable<T>(schema: z.ZodType<T>, items: unknown[], { path, size }: ListBound): T[] {
      const own = items.slice(0, size).flatMap((item) => {
        const parsed = schema.safeParse(item);
        return parsed.success ? [parsed.data] : [];
      });
      const lost = items.length - own.length;
      if (lost > 0) report(path, `${lost} of ${items.length} items left out`);
      return own;
    },
    /** A response of any size, as a stream. */
    async open(
      options: Omit<UpstreamStreamCall, 'requestId'>,
      codes: ErrorCodes,
    ): Promise<UpstreamStream> {
      const response = await upstream.open({ signal, ...options, requestId }).catch(rethrow);
      if (isSuccess(response)) return response;
      const { status, contentRange, body } = response;
      const text = () => beginningOf(body);
      const failure = await failureOf(options.path, { status, contentRange, text }, codes);
      await body.cancel().catch(() => undefined);
      throw failure;
    },
  };
}

interface ListBound {
  path: string;
  size: number;
}

/** Adds the parameters that have a value. */
export function withQuery(path: string, query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/**
 * An id as one path segment. `.` and `..` are rejected, because a URL parser resolves them.
 *
 * @throws {PlatformSdkError} 404
 */
export function segmentOf(id: string): string {
  if (/^\.{0,2}$/.test(id) || !id.isWellFormed()) throw new PlatformSdkError(404, 'not_found');
  return encodeURIComponent(id);
}

/** @throws {PlatformSdkError} for a failed call or response body; any other error is rethrown. */
export function rethrow(error: unknown): never {
  if (error instanceof UpstreamFailure) {
    throw new PlatformSdkError(error.status, 'upstream_unavailable', { cause: error });
  }
  if (error instanceof RequestBodyTooLarge) {
    throw new PlatformSdkError(413, 'body_too_large', { cause: error });
  }
  throw error;
}

function isSuccess({ status }: { status: number }): boolean {
  return status >= 200 && status <= 299;
}

/** Maps the platform's error code to one of the operation's own. `*` matches any other. */
function meaningOf(
  text: string,
  meanings: Readonly<Record<string, PlatformErrorCode>>,
): PlatformErrorCode | undefined {
  const known = new Map(Object.entries(meanings));
  try {
    const body: unknown = JSON.parse(text);
    const reported = typeof body === 'object' && body !== null && 'error' in body ? body.error : '';
    return known.get(String(reported)) ?? known.get('*');
  } catch {
    return known.get('*');
  }
}

/** The first bytes of a failed response. */
async function beginningOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Leaving the loop cancels the unread rest.
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= failureMaxBytes) break;
    }
  } catch {
    // A truncated error response is still an error response.
  }
  return Buffer.concat(chunks).toString('utf8');
}
