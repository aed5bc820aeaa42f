/** Input that is passed to the service unchanged: a file, code, a patch. */
import { z } from 'zod';

const note = 'Kept verbatim: blanks, tabs and line ends at either end are part of it.';

/** Identifies a verbatim string: zod keeps the first check of a schema when further checks are added. */
const keep = (text: string) => text;

/**
 * A string that is not trimmed: a deviation from M09, stated here and, for the model, in the description. Bound it
 * like any other: `content: verbatim('The file.').max(100_000)`.
 *
 * @param description The field's description. A note on the meaning of verbatim is appended.
 */
export function verbatim(description: string): z.ZodString {
  return z.string().overwrite(keep).describe(`${description} ${note}`);
}

export function isVerbatim(text: z.core.$ZodType): boolean {
  const { checks } = text._zod.def as z.core.$ZodStringDef;
  const first = checks?.[0]?._zod.def as Partial<z.core.$ZodCheckOverwriteDef<string>> | undefined;
  return first?.tx === keep;
}

/** Whether the description still has the note: a later `.describe()` replaces it. */
export function saysVerbatim(text: z.core.$ZodType): boolean {
  return z.globalRegistry.get(text)?.description?.includes(note) ?? false;
}
