/** Conversion of a response's body and headers for tools. */
import { noJson, UpstreamResponseError } from '../../result/errors.ts';

/** A successful response. Its bytes and headers are views of the connection's buffer: copy what you keep. */
export interface RawResponse {
  readonly status: number;
  /** Names and values alternate. */
  readonly headers: readonly Buffer[];
  readonly bytes: Buffer;
}

/** How to read a body: as JSON, as text in its charset, or as raw bytes. */
export type BodyKind = 'json' | 'text' | 'bytes';

/** The result of a request with {@link RequestOptions.whole}. */
export interface UpstreamResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/**
 * Some services send a byte order mark, which is not valid JSON. `TextDecoder` would remove it, but takes 50%
 * longer.
 */
const byteOrderMark = '\ufeff';

/** @param isWrite A write with an empty response has succeeded: `json` then returns undefined instead of failing. */
export function bodyOf(response: RawResponse, kind: BodyKind, isWrite: boolean): unknown {
  if (kind === 'json') return jsonOf(response, isWrite);
  const headers = headersOf(response);
  if (!/^(?:identity)?$/i.test(headers.get('content-encoding') ?? '')) {
    throw new UpstreamResponseError('The answer is compressed, which nobody asked for');
  }
  // Copied: the bytes are a view of the connection's buffer, or of a cached response.
  return kind === 'bytes' ? new Uint8Array(response.bytes) : textOf(response.bytes, headers);
}

export function headersOf({ headers: raw }: RawResponse): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers.append(raw[index]?.toString('latin1') ?? '', raw[index + 1]?.toString('latin1') ?? '');
  }
  return headers;
}

/** Returns the first header with this lower-case name, without decoding the others. */
export function headerOf(raw: readonly Buffer[], name: string): string | undefined {
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const found = raw[index];
    if (found?.length === name.length && found.toString('latin1').toLowerCase() === name) {
      return raw[index + 1]?.toString('latin1');
    }
  }
  return undefined;
}

function jsonOf({ status, bytes }: RawResponse, isWrite: boolean): unknown {
  if (status === 204 || status === 205) return undefined;
  const text = bytes.toString();
  if (isWrite && text.trim() === '') return undefined;
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text) as unknown;
  } catch {
    throw new UpstreamResponseError(noJson);
  }
}

function textOf(bytes: Uint8Array, headers: Headers): string {
  const [, charset = 'utf-8'] =
    /;\s*charset="?([\w.:-]+)/i.exec(headers.get('content-type') ?? '') ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // Unknown charset.
    return new TextDecoder().decode(bytes);
  }
}
