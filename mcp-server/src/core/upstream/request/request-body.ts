/** Bodies of requests, as `fetch` takes them. */

/**
 * `FormData` is sent as `multipart/form-data`, `URLSearchParams` as a form, bytes and a `Blob` as they are.
 * Anything else is sent as JSON.
 */
export type EncodedBody = FormData | URLSearchParams | Blob | Uint8Array;

export interface Content {
  readonly bytes: Uint8Array;
  /** Bytes alone have none: the request's own headers name it. */
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

/** Whole and in memory, so that each attempt sends the same. */
export async function contentOf(body: EncodedBody): Promise<Content> {
  const response = new Response(body);
  const type = response.headers.get('content-type');
  return { bytes: new Uint8Array(await response.arrayBuffer()), type };
}
