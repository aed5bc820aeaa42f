/** Input that a service gets as it was sent: a file, code, a patch. */
import { z } from 'zod';

const note = 'Kept verbatim: blanks, tabs and line ends at either end are part of it.';

/** Known by its identity: zod keeps a schema's first check, whatever is added behind it. */
const keep = (text: string) => text;

/**
 * A string that is not stripped: a deviation from M09, said by name here and, to the model, in the description.
 * Bound it like any other: `content: verbatim('The file.').max(100_000)`.
 *
 * @param description Of the field. It goes on with what verbatim means.
 */
export function verbatim(description: string): z.ZodString {
  return z.string().overwrite(keep).describe(`${description} ${note}`);
}

export function isVerbatim(text: z.core.$ZodType): boolean {
  const { checks } = text._zod.def as z.core.$ZodStringDef;
  const first = checks?.[0]?._zod.def as Partial<z.core.$ZodCheckOverwriteDef<string>> | undefined;
  return first?.tx === keep;
}

/** Whether the model is told: another description may have taken the place of the one it was made with. */
export function saysVerbatim(text: z.core.$ZodType): boolean {
  return z.globalRegistry.get(text)?.description?.includes(note) ?? false;
}
