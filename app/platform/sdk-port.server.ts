/** The SDK port: what routes may ask of the platform, whichever adapter answers. */
import { z } from 'zod';
import {
  promptMaxLength,
  type Generation,
  type GenerationPage,
  type PlatformErrorCode,
} from './sdk';

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
  /** @param extension what the picture's address and filename promise, such as `png`. */
  readOutput(id: string, extension: string): Promise<GenerationOutput>;
}

/** A picture whose bytes, type, extension and filename agree (W27). */
export interface GenerationOutput {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  filename: string;
}

/** A failed operation. Neither message nor fields hold anything the platform said. */
export class PlatformSdkError extends Error {
  override name = 'PlatformSdkError';
  constructor(
    /** The status the site answers with. */
    readonly status: number,
    readonly code: PlatformErrorCode,
    options?: ErrorOptions,
  ) {
    super(code, options);
  }
}
