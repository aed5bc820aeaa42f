/** The settings that the wrapped service needs. `src/env.ts` alone reads their values. */
import { z } from 'zod';

/** By environment variable. */
export const skeletonSettings = z
  .object({
    SKELETON_API_BASE_URL: z
      .string()
      .refine(isPlainUrl, 'must be an http: or https: URL without spaces, user, query or fragment')
      .default('https://api.skeleton.example/v1')
      .describe('The wrapped service.'),
    SKELETON_API_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{1,4096}$/, 'must be printable ASCII without spaces')
      .optional()
      .describe('The credential for it, of callers who connected no account.')
      .meta({ secret: true }),
    SKELETON_API_TIMEOUT_MS: z
      .string()
      .regex(/^[1-9]\d{2,5}$/, 'must be a whole number of milliseconds from 100 to 999999')
      .transform(Number)
      .default(30_000)
      .describe('Milliseconds for a whole call of it.'),
  })
  .transform((given) => ({
    baseUrl: given.SKELETON_API_BASE_URL,
    token: given.SKELETON_API_TOKEN,
    timeoutMs: given.SKELETON_API_TIMEOUT_MS,
  }));

export type SkeletonSettings = z.output<typeof skeletonSettings>;

/** Not by the URL's fields, which hide spaces, an empty query and a password with a slash. */
function isPlainUrl(text: string): boolean {
  return /^https?:\/\/[^\s?#@\\]+$/i.test(text) && URL.canParse(text);
}
