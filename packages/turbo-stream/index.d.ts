/** Turns a value into a type name and what to send for it, or declines. */
export type EncodePlugin = (value: unknown) => [string, ...unknown[]] | false | null | undefined;

/** Makes the value again from the type name and what was sent, or declines. */
export type DecodePlugin = (
  type: string,
  ...fields: unknown[]
) => { value: unknown } | false | null | undefined;

/**
 * Encodes a value as a stream of UTF-8 bytes. Promises in it are sent as they settle.
 *
 * @param options.plugins - asked first, about every object that is no array, and every function
 * @param options.postPlugins - asked about what has no encoding; without an answer the stream fails
 * @param options.signal - aborting rejects what is still pending with its reason, and ends the stream
 */
export function encode(
  value: unknown,
  options?: { plugins?: EncodePlugin[]; postPlugins?: EncodePlugin[]; signal?: AbortSignal },
): ReadableStream<Uint8Array>;

/**
 * Decodes what `encode` made, as soon as the value without its pending promises is there.
 *
 * @returns the value, and a promise that settles when the stream has ended or failed. Of a load that was
 *   aborted before the value was there, an empty object
 * @throws {SyntaxError} when no plugin knows a type in the stream, or the stream is malformed
 */
export function decode(
  stream: ReadableStream<Uint8Array>,
  options?: { plugins?: DecodePlugin[] },
): Promise<{ value: unknown; done: Promise<void> }>;
