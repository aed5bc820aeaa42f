/** An answer's body and headers as a tool reads them. */
import { UpstreamResponseError } from '../../result/errors.ts';

/** An answer of success. Its bytes and headers lie in the connection's own memory: copy what is kept. */
export interface RawAnswer {
  readonly status: number;
  /** Names and values take turns. */
  readonly headers: readonly Buffer[];
  readonly bytes: Buffer;
}

/** How a body is read: as JSON, as text of its own charset, or not at all. */
export type BodyKind = 'json' | 'text' | 'bytes';

/** What {@link RequestOptions.whole} asks for. */
export interface UpstreamAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Some services begin with it, and it is no JSON. A `TextDecoder` leaves it out, and takes half as long again. */
const byteOrderMark = '\ufeff';

/** @param isWrite What was written is written, whether or not the service says more than its status. */
export function bodyOf(answer: RawAnswer, kind: BodyKind, isWrite: boolean): unknown {
  if (kind === 'json') return jsonOf(answer, isWrite);
  const headers = headersOf(answer);
  if (!/^(?:identity)?$/i.test(headers.get('content-encoding') ?? '')) {
    throw new UpstreamResponseError('The answer is compressed, which nobody asked for');
  }
  // A copy: the bytes lie in the connection's memory, or are kept for others.
  return kind === 'bytes' ? new Uint8Array(answer.bytes) : textOf(answer.bytes, headers);
}

export function headersOf({ headers: raw }: RawAnswer): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers.append(raw[index]?.toString('latin1') ?? '', raw[index + 1]?.toString('latin1') ?? '');
  }
  return headers;
}

/** The first header of this name, in lower case, without making all of them. */
export function headerOf(raw: readonly Buffer[], name: string): string | undefined {
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const found = raw[index];
    if (found?.length === name.length && found.toString('latin1').toLowerCase() === name) {
      return raw[index + 1]?.toString('latin1');
    }
  }
  return undefined;
}

function jsonOf({ status, bytes }: RawAnswer, isWrite: boolean): unknown {
  if (status === 204 || status === 205) return undefined;
  const text = bytes.toString();
  if (isWrite && text.trim() === '') return undefined;
  try {
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text) as unknown;
  } catch {
    throw new UpstreamResponseError('The answer is not JSON');
  }
}

function textOf(bytes: Uint8Array, headers: Headers): string {
  const [, charset = 'utf-8'] =
    /;\s*charset="?([\w.:-]+)/i.exec(headers.get('content-type') ?? '') ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // No such charset.
    return new TextDecoder().decode(bytes);
  }
}
