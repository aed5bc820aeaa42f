/** Validation of an order, sent by a form or as JSON. */
import { z } from 'zod';
import { atLeast, atMost, notBlank } from '@gatehouse/frame';
import {
  aspectRatios,
  generationKinds,
  promptMaxLength,
  promptsMax,
  referencesMax,
} from './generations';

const noWords = 'Describe what you want to see.';

/** The prompt of one generation. Line endings are normalised, because forms send CRLF. */
export const promptSchema = z
  .string({ error: noWords })
  .transform((value) => value.replaceAll(/\r\n?/g, '\n').trim())
  .pipe(
    z
      // conform coerces an empty string to `undefined`, here as well: after the trim.
      .string({ error: noWords })
      .check(notBlank(noWords), atMost(promptMaxLength))
      .refine((value) => value.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(value), {
        error: 'Remove the invisible control characters.',
      }),
  );

const kind = z.enum(generationKinds, { error: 'Choose a picture or a clip.' });
const aspectRatio = z.enum(aspectRatios, { error: 'Choose one of the formats.' });

/** Defaults: a square picture without references. */
export const orderSchema = z.object({
  prompts: z
    .array(promptSchema, { error: noWords })
    .min(1, { error: noWords })
    .max(promptsMax, { error: `Order at most ${promptsMax} at once.` }),
  kind: kind.default('picture'),
  aspectRatio: aspectRatio.default('1:1'),
  references: z
    .array(z.string().check(atLeast(1), atMost(200)))
    .max(referencesMax, { error: `Use at most ${referencesMax} files.` })
    .default([]),
});

/**
 * The size of an order, for an estimate before there is a prompt. Numbers are coerced, because they
 * come from a query string.
 */
export const orderSizeSchema = z.object({
  kind: kind.default('picture'),
  aspectRatio: aspectRatio.default('1:1'),
  count: z.coerce.number().int().min(1).max(promptsMax).default(1),
  references: z.coerce.number().int().min(0).max(referencesMax).default(0),
});
