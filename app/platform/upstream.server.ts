/** One call to the platform's internal address: a deadline, a bound on what is read, no token. */
import { getGlobalDispatcher, util } from 'undici';
import { siteEnv } from '~/server/env.server';
import { reportUpstreamFailure } from './upstream-failures.server';

/** What is needed of an `AbortSignal`. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface UpstreamCall {
  method?: 'GET' | 'POST';
  /** Path below `PLATFORM_INTERNAL_URL`, starting with a slash. */
  path: string;
  /** Sent as `application/json`. */
  json?: unknown;
  /** The visitor's own abort: the upstream call ends with it. */
  signal?: StopSignal | undefined;
  /** Of the visitor's request, for the log. */
  requestId?: string | undefined;
  /** Milliseconds for headers and body together. */
  deadline?: number;
  /** Bytes of body to read before giving up. */
  maxBytes?: number;
}

export interface UpstreamAnswer {
  /** 200–599. */
  status: number;
  contentType: string | undefined;
  body: Buffer<ArrayBuffer>;
}

/** The platform gave no answer that can be used. Carries nothing the platform said. */
export class UpstreamFailure extends Error {
  override name = 'UpstreamFailure';
  constructor(
    readonly reason: 'unavailable' | 'timeout' | 'aborted',
    options?: ErrorOptions,
  ) {
    super(`The platform's answer is ${reason}.`, options);
  }
  /** The status the site answers with: 504 when the deadline passed, else 502. */
  get status(): 502 | 504 {
    return this.reason === 'timeout' ? 504 : 502;
  }
}

/** What a caller of the site sees of an {@link UpstreamFailure}. */
export const upstreamUnavailable = { error: 'upstream_unavailable' } as const;

export const upstreamDeadline = 5_000;
const defaultMaxBytes = 1024 * 1024;

/**
 * Calls the platform through undici's global dispatcher, where the platform attaches identity.
 * Redirects are not followed (W32): they come back as the status they are.
 *
 * Dispatches rather than fetches: every page and every relayed profile takes this road, and a body
 * of at most `maxBytes` needs no stream.
 *
 * @throws {UpstreamFailure} unreachable, too slow, too large, cut short, or not HTTP we can relay.
 */
export function callUpstream(call: UpstreamCall): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    const { signal, maxBytes = defaultMaxBytes } = call;
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let contentType: string | undefined;
    let ended = false;
    let hangUp: () => void = () => undefined;

    const end = () => {
      ended = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (reason: UpstreamFailure['reason'], cause?: unknown) => {
      if (ended) return;
      end();
      if (reason !== 'aborted')
        reportUpstreamFailure({ path: call.path, reason, cause, requestId: call.requestId });
      reject(new UpstreamFailure(reason, { cause }));
      hangUp();
    };
    const timer = setTimeout(fail, call.deadline ?? upstreamDeadline, 'timeout');
    const onAbort = () => {
      fail('aborted');
    };
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) {
      fail('aborted');
      return;
    }

    const { origin, prefix } = internalAddress();
    const json = call.json === undefined ? null : JSON.stringify(call.json);
    getGlobalDispatcher().dispatch(
      {
        origin,
        path: prefix + call.path,
        method: call.method ?? 'GET',
        ...(json !== null && { body: json, headers: { 'content-type': 'application/json' } }),
      },
      {
        onConnect(abort) {
          hangUp = abort;
          if (ended) abort();
        },
        onHeaders(statusCode, rawHeaders) {
          if (statusCode < 200) return true;
          const headers = util.parseHeaders(rawHeaders);
          status = statusCode;
          contentType = single(headers['content-type']);
          if (!isRelayable(status, contentType, single(headers['content-encoding']))) {
            fail('unavailable');
          }
          return true;
        },
        onData(chunk) {
          size += chunk.length;
          if (size > maxBytes) fail('unavailable');
          else chunks.push(chunk);
          return true;
        },
        onComplete() {
          if (ended) return;
          end();
          resolve({ status, contentType, body: Buffer.concat(chunks, size) });
        },
        onError(error) {
          fail('unavailable', error);
        },
      },
    );
  });
}

/** Whether only a status, a content type and a body can stand for this answer. */
function isRelayable(status: number, contentType = '', contentEncoding = ''): boolean {
  return (
    status <= 599 &&
    // None was asked for, and only the content type crosses: such a body would arrive unreadable.
    contentEncoding === '' &&
    // No HTTP server writes a header with other characters: trying throws.
    /^[\t\x20-\x7e]*$/.test(contentType)
  );
}

let known: { origin: string; prefix: string } | undefined;

function internalAddress(): { origin: string; prefix: string } {
  if (!known) {
    const { origin, pathname } = new URL(siteEnv().platformInternalUrl);
    known = { origin, prefix: pathname.replace(/\/$/, '') };
  }
  return known;
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
