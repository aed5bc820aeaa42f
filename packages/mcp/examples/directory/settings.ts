/** The settings that the wrapped service needs. `src/env.ts` alone reads their values. */
import { z } from 'zod';

/** Accepted only by `npm run mcp:example-service` on the developer's own machine. */
export const developmentToken = 'example-development-token';

const developmentUrl = 'http://127.0.0.1:4010';

/** By environment variable. */
export const exampleSettings = z
  .object({
    EXAMPLE_API_BASE_URL: z
      .string()
      .refine(isPlainUrl, 'must be an http: or https: URL without spaces, user, query or fragment')
      .default(developmentUrl)
      .describe('The wrapped service.'),
    /** The service account's token, for callers that have not connected an account of their own. */
    EXAMPLE_API_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{1,4096}$/, 'must be printable ASCII without spaces')
      .optional()
      .describe('The credential for it, of callers who connected no account.')
      .meta({ secret: true }),
    EXAMPLE_API_TIMEOUT_MS: z
      .string()
      .regex(/^\d{1,6}$/, 'must be a whole number of milliseconds from 100 to 600000')
      .transform(Number)
      .refine(
        (milliseconds) => milliseconds >= 100 && milliseconds <= 600_000,
        'must be a whole number of milliseconds from 100 to 600000',
      )
      .default(30_000)
      .describe('Milliseconds for a whole call of it.'),
  })
  .transform(({ EXAMPLE_API_BASE_URL: baseUrl, EXAMPLE_API_TOKEN: token, ...rest }) => ({
    baseUrl,
    // The development token is never sent to another machine.
    token: token ?? (isDevelopment(baseUrl) ? developmentToken : undefined),
    timeoutMs: rest.EXAMPLE_API_TIMEOUT_MS,
  }));

export type ExampleSettings = z.output<typeof exampleSettings>;

/** In any spelling: with a final slash, for example. */
function isDevelopment(baseUrl: string): boolean {
  return new URL(baseUrl).href === new URL(developmentUrl).href;
}

/** Not by the URL's fields, which hide spaces, an empty query and a password with a slash. */
function isPlainUrl(text: string): boolean {
  return /^https?:\/\/[^\s?#@\\]+$/i.test(text) && URL.canParse(text);
}
