/** What a visitor may order, as a form or a script sends it. */
import { z } from 'zod';
import {
  aspectRatios,
  generationKinds,
  promptMaxLength,
  promptsMax,
  referencesMax,
} from './generations';

const noWords = 'Write what you want to see.';

/** The words of one generation. Line ends become one kind, as a form and a script send them. */
export const promptSchema = z
  .string({ error: noWords })
  .transform((value) => value.replaceAll(/\r\n?/g, '\n').trim())
  .pipe(
    z
      // A form's blank field is no string at all once it is trimmed.
      .string({ error: noWords })
      // More than characters that leave no mark, such as a zero-width space.
      .regex(/[^\s\p{Default_Ignorable_Code_Point}]/u, { error: noWords })
      .max(promptMaxLength, { error: `Use at most ${promptMaxLength} characters.` })
      .refine((value) => value.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(value), {
        error: 'Remove the characters that cannot be shown.',
      }),
  );

const kind = z.enum(generationKinds, { error: 'Choose a picture or a clip.' });
const aspectRatio = z.enum(aspectRatios, { error: 'Choose one of the formats.' });

/** What is not said is the ordinary: a square picture, made from words alone. */
export const orderSchema = z.object({
  prompts: z
    .array(promptSchema, { error: noWords })
    .min(1, { error: noWords })
    .max(promptsMax, { error: `Order at most ${promptsMax} at once.` }),
  kind: kind.default('picture'),
  aspectRatio: aspectRatio.default('1:1'),
  references: z
    .array(z.string().min(1).max(200))
    .max(referencesMax, { error: `Use at most ${referencesMax} files.` })
    .default([]),
});

/** An order before it has words, for an estimate. Numbers come as digits: a query has nothing else. */
export const orderSizeSchema = z.object({
  kind: kind.default('picture'),
  aspectRatio: aspectRatio.default('1:1'),
  count: z.coerce.number().int().min(1).max(promptsMax).default(1),
  references: z.coerce.number().int().min(0).max(referencesMax).default(0),
});

/** What tells a repeated submission from a new one: any key that a browser makes up, such as a UUID. */
export const idempotencyKeySchema = z.string().regex(/^[\x21-\x7e]{8,200}$/);
