/** Encodes a value as a type name and fields, or declines. */
export type EncodePlugin = (value: unknown) => [string, ...unknown[]] | false | null | undefined;

/** Restores a value from its type name and fields, or declines. */
export type DecodePlugin = (
  type: string,
  ...fields: unknown[]
) => { value: unknown } | false | null | undefined;

/**
 * Encodes a value as a stream of UTF-8 bytes. Promises within it are sent as they settle.
 *
 * @param options.plugins - tried first, for every object that is not an array, and every function
 * @param options.postPlugins - tried for values without an encoding; if none applies, the stream fails
 * @param options.signal - aborting rejects pending promises with its reason, and ends the stream
 */
export function encode(
  value: unknown,
  options?: { plugins?: EncodePlugin[]; postPlugins?: EncodePlugin[]; signal?: AbortSignal },
): ReadableStream<Uint8Array>;

/**
 * Decodes the output of `encode`. Resolves as soon as the value has arrived, without waiting for its
 * promises.
 *
 * @returns the value, and a promise that settles when the stream has ended or failed. For a load that was
 *   aborted before the value arrived, an empty object
 * @throws {SyntaxError} when no plugin restores a type in the stream, or the stream is malformed
 */
export function decode(
  stream: ReadableStream<Uint8Array>,
  options?: { plugins?: DecodePlugin[] },
): Promise<{ value: unknown; done: Promise<void> }>;
