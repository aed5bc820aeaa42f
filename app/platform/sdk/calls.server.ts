/**
 * Calls of the SDK's HTTP adapters: what fails becomes one of the site's codes, and what the platform
 * said of it ends here (W33).
 */
import type { z } from 'zod';
import type { PlatformContext } from '~/platform/platform.server';
import type { PlatformErrorCode } from '~/platform/error-codes';
import { PlatformSdkError } from './sdk-error.server';
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

/**
 * What a status means for one operation. Where it may mean several things, the list has the platform's own codes
 * for them, which are compared and never passed on. Any other status is the platform's fault: 502.
 */
export type ErrorCodes = Partial<
  Record<number, PlatformErrorCode | Readonly<Record<string, PlatformErrorCode>>>
>;

/** Each throws {@link PlatformSdkError}, or what the request's own stream throws. */
export type SdkCalls = ReturnType<typeof createSdkCalls>;

export interface SdkCallsOptions {
  context: PlatformContext;
  /** Its id. Undefined for the one that the visitor has chosen. */
  workspace?: string | undefined;
}

/** Statuses that tell the visitor something, whatever was asked. */
const errorCodes: ErrorCodes = {
  401: 'unauthorized',
  402: 'insufficient_credits',
  403: 'forbidden',
  429: { too_many_running: 'too_many_running', '*': 'rate_limited' },
};

/** Bytes of a failed call's body that are looked at. */
const failureMaxBytes = 64 * 1024;

export function createSdkCalls({ context: { signal, requestId }, workspace }: SdkCallsOptions) {
  /** Tells the log, and nobody else. */
  const report = (path: string, reason: string) => {
    reportUpstreamFailure({ path, reason, requestId });
  };

  /** For an answer that cannot be used. The reason goes to the log, not to the visitor. */
  const unusable = (path: string, reason: string) => {
    report(path, reason);
    return new PlatformSdkError(502, 'upstream_unavailable');
  };

  const failureOf = async (
    path: string,
    answer: { status: number; contentRange?: string | undefined; text: () => Promise<string> },
    codes: ErrorCodes,
  ) => {
    const { status, contentRange = '' } = answer;
    const meaning = codes[status] ?? errorCodes[status];
    const code = typeof meaning === 'object' ? meaningOf(await answer.text(), meaning) : meaning;
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

  const callFor = async (options: UpstreamCall, codes: ErrorCodes): Promise<string> => {
    const answer = await callUpstream({ ...options, signal, requestId }).catch(rethrow);
    const text = answer.body.toString('utf8');
    if (isSuccess(answer)) return text;
    const { status } = answer;
    throw await failureOf(options.path, { status, text: () => Promise.resolve(text) }, codes);
  };

  return {
    report,
    unusable,
    parse,
    /** A path with the workspace that the operation acts in. */
    inWorkspace(path: string, query: Record<string, string | undefined> = {}): string {
      const given = Object.entries({ ...query, workspace }).flatMap(([name, value]) =>
        value ? [[name, value]] : [],
      );
      return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
    },
    /** A small answer, as a value. */
    async call<T>(schema: z.ZodType<T>, options: UpstreamCall, codes: ErrorCodes = {}): Promise<T> {
      return parse(schema, await callFor(options, codes), options.path);
    },
    /** For an operation whose answer says no more than that it is done. */
    async send(options: UpstreamCall, codes: ErrorCodes = {}): Promise<void> {
      await callFor(options, codes);
    },
    /** What can be read of a list, at most `size` items. The rest is left out, and the log is told. */
    readable<T>(schema: z.ZodType<T>, items: unknown[], { path, size }: ListBound): T[] {
      const own = items.slice(0, size).flatMap((item) => {
        const parsed = schema.safeParse(item);
        return parsed.success ? [parsed.data] : [];
      });
      const lost = items.length - own.length;
      if (lost > 0) report(path, `${lost} of ${items.length} items left out`);
      return own;
    },
    /** An answer of any size, as a stream. */
    async open(options: UpstreamStreamCall, codes: ErrorCodes): Promise<UpstreamStream> {
      const answer = await openUpstream({ signal, ...options, requestId }).catch(rethrow);
      if (isSuccess(answer)) return answer;
      const { status, contentRange, body } = answer;
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

/**
 * An id as one segment of a path. `.` and `..` cannot be one: a URL parser takes them as steps.
 *
 * @throws {PlatformSdkError} 404
 */
export function segmentOf(id: string): string {
  if (/^\.{0,2}$/.test(id) || !id.isWellFormed()) throw new PlatformSdkError(404, 'not_found');
  return encodeURIComponent(id);
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

function isSuccess({ status }: { status: number }): boolean {
  return status >= 200 && status <= 299;
}

/** Which of an operation's own codes the platform's words stand for. `*` is any other. */
function meaningOf(
  text: string,
  meanings: Readonly<Record<string, PlatformErrorCode>>,
): PlatformErrorCode | undefined {
  const known = new Map(Object.entries(meanings));
  try {
    const body: unknown = JSON.parse(text);
    const said = typeof body === 'object' && body !== null && 'error' in body ? body.error : '';
    return known.get(String(said)) ?? known.get('*');
  } catch {
    return known.get('*');
  }
}

/** As much of a failed answer as is looked at. */
async function beginningOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // What is left unread is cancelled when the loop ends.
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= failureMaxBytes) break;
    }
  } catch {
    // A refusal that breaks off is one all the same.
  }
  return Buffer.concat(chunks).toString('utf8');
}
