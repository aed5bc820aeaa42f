/** The SDK port: what routes may ask of the platform, whichever adapter answers. */
import { z } from 'zod';
import { promptMaxLength, type Generation, type GenerationPage, type Media } from './sdk';
import type { PlatformErrorCode } from '~/platform/error-codes';

/** What a visitor may submit. Line ends become one kind, as a form and a script send them. */
export const submissionSchema = z.object({
  prompt: z
    .string({ error: 'Write what you want to see.' })
    .transform((value) => value.replaceAll(/\r\n?/g, '\n').trim())
    .pipe(
      z
        // A form's blank field is no string at all once it is trimmed.
        .string({ error: 'Write what you want to see.' })
        // More than characters that leave no mark, such as a zero-width space.
        .regex(/[^\s\p{Default_Ignorable_Code_Point}]/u, { error: 'Write what you want to see.' })
        .max(promptMaxLength, { error: `Use at most ${promptMaxLength} characters.` })
        .refine((value) => value.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(value), {
          error: 'Remove the characters that cannot be shown.',
        }),
    ),
});

/** Every method throws {@link PlatformSdkError} and nothing else that the platform causes. */
export interface PlatformSdk {
  submitGeneration(input: { prompt: string }): Promise<Generation>;
  getGeneration(id: string): Promise<Generation>;
  listGenerations(page?: { cursor?: string | undefined }): Promise<GenerationPage>;
  /**
   * @param extension what the picture's address and filename promise, such as `png`.
   * @param part which bytes of it. An adapter may give the whole file nevertheless.
   */
  readOutput(id: string, extension: string, part?: FilePart): Promise<PlatformFile>;
  /**
   * Uploads a file, whose type its first bytes tell. A stream that errors cancels the upload: the platform
   * keeps nothing.
   *
   * @param bytes its length, where that is known ahead.
   * @throws what the stream throws.
   */
  uploadMedia(
    file: ReadableStream<Uint8Array>,
    options?: { bytes?: number | undefined },
  ): Promise<Media>;
}

/** A request's `Range` and `If-Range`, as they came (RFC 9110, section 14). */
export interface FilePart {
  range?: string | undefined;
  ifRange?: string | undefined;
}

/** A file whose bytes, type, extension and filename agree (W27). */
export interface PlatformFile {
  /** 206 for a part of it. */
  status: 200 | 206;
  /** Read it or cancel it: it holds a connection to the platform. */
  body: ReadableStream<Uint8Array>;
  contentType: string;
  filename: string;
  /** Length, range and validator, as far as the platform sends them. */
  headers: Record<string, string>;
}

/** A failed operation. Neither message nor fields hold anything the platform said. */
export class PlatformSdkError extends Error {
  override name = 'PlatformSdkError';
  /** Further headers for a resource's answer. */
  readonly headers: Record<string, string>;
  constructor(
    /** The status the site answers with. */
    readonly status: number,
    readonly code: PlatformErrorCode,
    { headers = {}, ...options }: ErrorOptions & { headers?: Record<string, string> } = {},
  ) {
    super(code, options);
    this.headers = headers;
  }
}
