/** Conversion of a response's body and headers for tools. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
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

/**
 * @param isWrite A write with an empty response has succeeded: `json` then returns undefined instead of failing.
 * @param maxBytes Limit for what a compressed body becomes.
 */
export function bodyOf(
  response: RawResponse,
  kind: BodyKind,
  isWrite: boolean,
  maxBytes: number,
): unknown {
  const bytes = decoded(response, maxBytes);
  if (kind === 'json') return jsonOf(response.status, bytes, isWrite);
  // Copied: the bytes are a view of the connection's buffer, or of a cached response.
  return kind === 'bytes' ? new Uint8Array(bytes) : textOf(bytes, headersOf(response));
}

const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Undoes the coding of a body: some services compress although nobody asked for it. */
function decoded({ headers, bytes }: RawResponse, maxBytes: number): Buffer {
  const coding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity' || bytes.length === 0) return bytes;
  const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
  if (!decode) throw new UpstreamResponseError('The answer has a coding that nobody asked for');
  try {
    return decode(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const isLarge =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new UpstreamResponseError(
      isLarge ? 'The answer is too large' : 'The answer is not what its coding says',
    );
  }
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

function jsonOf(status: number, bytes: Buffer, isWrite: boolean): unknown {
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
