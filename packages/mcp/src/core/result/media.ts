/** Media of a result, sent with its text and data: images, audio, files. */
import { z } from 'zod';
import { UpstreamResponseError } from './errors.ts';

export type Media =
  | { readonly type: 'image' | 'audio'; readonly mimeType: string; readonly bytes: Uint8Array }
  | {
      readonly type: 'file';
      readonly uri: string;
      readonly mimeType: string;
      readonly content: string | Uint8Array;
    };

const bytesModel = z.instanceof(Uint8Array);

/** Validates what a handler returned, whatever its types say: a client must not get a broken message. */
export const mediaModel = z.array(
  z.discriminatedUnion('type', [
    z.object({ type: z.enum(['image', 'audio']), mimeType: z.string(), bytes: bytesModel }),
    z.object({
      type: z.literal('file'),
      uri: z.string(),
      mimeType: z.string(),
      content: z.union([z.string(), bytesModel]),
    }),
  ]),
);

/**
 * A picture, to send beside a result: `withMedia(output, image(bytes, 'image/png'))`.
 *
 * @param mimeType Such as `image/png`. Models read PNG, JPEG, GIF and WebP. The `content-type` of a response is
 *   accepted.
 * @throws UpstreamResponseError if the type is not an image type.
 */
export function image(bytes: Uint8Array, mimeType: string): Media {
  return { type: 'image', bytes, mimeType: checked(mimeType, 'image') };
}

/**
 * A sound, to send beside a result.
 *
 * @throws UpstreamResponseError if the type is not an audio type.
 */
export function audio(bytes: Uint8Array, mimeType: string): Media {
  return { type: 'audio', bytes, mimeType: checked(mimeType, 'audio') };
}

/** A file of any type. `uri` identifies it; if it is a resource's URI, a client can read the file again. */
export function file(uri: string, mimeType: string, content: string | Uint8Array): Media {
  return { type: 'file', uri, mimeType, content };
}

/** An output with media, returned by a handler instead of the output alone. */
export class WithMedia<Output> {
  constructor(
    readonly output: Output,
    readonly media: readonly Media[],
  ) {}
}

/** A result with media beside it, for a handler to return: `withMedia(output, image(…))`. */
export function withMedia<Output>(output: Output, ...media: readonly Media[]): WithMedia<Output> {
  return new WithMedia(output, media);
}

/** Returns the size in bytes before base64, which adds a third. */
export function sizeOfMedia(media: readonly Media[]): number {
  return media.reduce(
    (sum, part) => sum + Buffer.byteLength(part.type === 'file' ? part.content : part.bytes),
    0,
  );
}

/** Guards against sending an HTML error page as an image. */
function checked(contentType: string, kind: 'image' | 'audio'): string {
  const [mimeType = ''] = contentType.split(';');
  const known = mimeType.trim().toLowerCase();
  if (known.startsWith(`${kind}/`)) return known;
  throw new UpstreamResponseError(`The answer is no ${kind}`);
}
