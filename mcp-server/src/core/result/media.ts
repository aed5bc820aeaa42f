/** What a result has beside its text and its data: pictures, sounds, files. */
import { UpstreamResponseError } from './errors.ts';

export type Media =
  | { readonly type: 'image' | 'audio'; readonly mimeType: string; readonly bytes: Uint8Array }
  | {
      readonly type: 'file';
      readonly uri: string;
      readonly mimeType: string;
      readonly content: string | Uint8Array;
    };

/**
 * @param mimeType Such as `image/png`: models read PNG, JPEG, GIF and WebP. An answer's own `content-type` will do.
 * @throws UpstreamResponseError when it is no image.
 */
export function image(bytes: Uint8Array, mimeType: string): Media {
  return { type: 'image', bytes, mimeType: checked(mimeType, 'image') };
}

/** @throws UpstreamResponseError when it is no sound. */
export function audio(bytes: Uint8Array, mimeType: string): Media {
  return { type: 'audio', bytes, mimeType: checked(mimeType, 'audio') };
}

/** A file of any kind. Its `uri` is a resource's where it can be read again, and is its name in any case. */
export function file(uri: string, mimeType: string, content: string | Uint8Array): Media {
  return { type: 'file', uri, mimeType, content };
}

/** An output with media beside it: what a handler gives in place of the output alone. */
export class WithMedia<Output> {
  constructor(
    readonly output: Output,
    readonly media: readonly Media[],
  ) {}
}

export function withMedia<Output>(output: Output, ...media: readonly Media[]): WithMedia<Output> {
  return new WithMedia(output, media);
}

/** Before it is written as text, which takes a third more. */
export function sizeOfMedia(media: readonly Media[]): number {
  return media.reduce(
    (sum, one) => sum + (one.type === 'file' ? one.content : one.bytes).length,
    0,
  );
}

/** An error's page that came in the place of a picture would be sent as one. */
function checked(contentType: string, kind: 'image' | 'audio'): string {
  const [mimeType = ''] = contentType.split(';');
  const known = mimeType.trim().toLowerCase();
  if (known.startsWith(`${kind}/`)) return known;
  throw new UpstreamResponseError(`The answer is no ${kind}`);
}
