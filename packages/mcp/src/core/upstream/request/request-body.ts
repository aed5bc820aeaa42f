/** Encoding of request bodies, as in `fetch`. */

/**
 * `FormData` is sent as `multipart/form-data`, `URLSearchParams` as a form, bytes and a `Blob` unchanged. Anything
 * else is sent as JSON.
 */
export type EncodedBody = FormData | URLSearchParams | Blob | Uint8Array;

export interface Content {
  readonly bytes: Uint8Array;
  /** Null for bytes: the caller sets `content-type`. */
  readonly type: string | null;
}

export function isEncoded(body: unknown): body is EncodedBody {
  return (
    body instanceof FormData ||
    body instanceof URLSearchParams ||
    body instanceof Blob ||
    body instanceof Uint8Array
  );
}

/** Buffers the whole body, so that each attempt can send it again. */
export async function contentOf(body: EncodedBody): Promise<Content> {
  // A copy: not every `Uint8Array` is a body by the types of a browser.
  const response = new Response(body instanceof Uint8Array ? new Uint8Array(body) : body);
  const type = response.headers.get('content-type');
  return { bytes: new Uint8Array(await response.arrayBuffer()), type };
}
