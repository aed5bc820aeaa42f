/** The tracker's address and key. */
import { z } from 'zod';

export const trackerSettings = z
  .object({
    TRACKER_API_BASE_URL: z
      .string()
      .refine(
        (text) => /^https?:\/\/[^\s?#@\\]+$/i.test(text) && URL.canParse(text),
        'must be an http: or https: URL without spaces, user, query or fragment',
      )
      .describe('The tracker.'),
    TRACKER_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, 'must be printable ASCII without spaces')
      .describe('The key for it.')
      .meta({ secret: true }),
  })
  .transform((given) => ({ baseUrl: given.TRACKER_API_BASE_URL, key: given.TRACKER_API_KEY }));

export type TrackerSettings = z.output<typeof trackerSettings>;
