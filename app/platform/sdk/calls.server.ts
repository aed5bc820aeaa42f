/**
 * Calls of the SDK's HTTP adapter: what fails becomes one of the site's codes, and what the platform
 * said of it ends here (W33).
 */
import type { z } from 'zod';
import type { PlatformContext } from '~/platform/platform.server';
import type { PlatformErrorCode } from '~/platform/error-codes';
import { PlatformSdkError } from './port.server';
import { reportUpstreamFailure } from '~/platform/upstream/failures.server';
import {
  openUpstream,
  RequestBodyTooLarge,
  type UpstreamStream,
  type UpstreamStreamCall,
} from '~/platform/upstream/stream.server';
import {
  callUpstream,
  UpstreamFailure,
  type UpstreamCall,
} from '~/platform/upstream/upstream.server';

/** What a status means for one operation. Any other status is the platform's fault: 502. */
export type ErrorCodes = Partial<Record<number, PlatformErrorCode>>;

/** Each throws {@link PlatformSdkError}, or what the request's own stream throws. */
export type SdkCalls = ReturnType<typeof createSdkCalls>;

/** Statuses that tell the visitor something, whatever was asked. */
const errorCodes: ErrorCodes = {
  401: 'unauthorized',
  402: 'insufficient_credits',
  403: 'forbidden',
  429: 'rate_limited',
};

export function createSdkCalls({ signal, requestId }: PlatformContext) {
  /** For an answer that cannot be used. The reason goes to the log, not to the visitor. */
  const unusable = (path: string, reason: string) => {
    reportUpstreamFailure({ path, reason, requestId });
    return new PlatformSdkError(502, 'upstream_unavailable');
  };

  const failureOf = (
    path: string,
    { status, contentRange = '' }: { status: number; contentRange?: string | undefined },
    codes: ErrorCodes,
  ) => {
    if (status >= 200 && status <= 299) return null;
    const code = errorCodes[status] ?? codes[status];
    if (!code) return unusable(path, `status ${status}`);
    // A 416 says how long the file is.
    const headers: Record<string, string> = /^bytes \*\/\d+$/.test(contentRange)
      ? { 'content-range': contentRange }
      : {};
    return new PlatformSdkError(status, code, { headers });
  };

  const parse = <T>(schema: z.ZodType<T>, text: string, path: string): T => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      // The caught error quotes the body, which must not reach the log.
      throw unusable(path, 'unexpected body');
    }
  };

  return {
    unusable,
    parse,
    /** A small answer, as a value. */
    async call<T>(schema: z.ZodType<T>, options: UpstreamCall, codes: ErrorCodes = {}): Promise<T> {
      const { path } = options;
      const answer = await callUpstream({ ...options, signal, requestId }).catch(rethrow);
      const failure = failureOf(path, answer, codes);
      if (failure) throw failure;
      return parse(schema, answer.body.toString('utf8'), path);
    },
    /** An answer of any size, as a stream. */
    async open(options: UpstreamStreamCall, codes: ErrorCodes): Promise<UpstreamStream> {
      const answer = await openUpstream({ ...options, signal, requestId }).catch(rethrow);
      const failure = failureOf(options.path, answer, codes);
      if (!failure) return answer;
      await answer.body.cancel();
      throw failure;
    },
  };
}

/** @throws {PlatformSdkError} for what a call or its answer's body throws, else the same error. */
export function rethrow(error: unknown): never {
  if (error instanceof UpstreamFailure) {
    throw new PlatformSdkError(error.status, 'upstream_unavailable', { cause: error });
  }
  if (error instanceof RequestBodyTooLarge) {
    throw new PlatformSdkError(413, 'body_too_large', { cause: error });
  }
  throw error;
}
