/** Validation of note forms and imported files. */
import { z } from 'zod';
import { isBlank, atMost, composed, lengthOf, truncate } from '@gatehouse/frame';
import { withoutInvisible } from '@gatehouse/frame/server';
import { mostTags, noteLimits, queryMaxLength, type NoteWords } from './note';

/**
 * Browsers send CRLF line endings. PostgreSQL cannot store NUL in text, and no store half of a
 * surrogate pair. A byte order mark is pasted by accident, and lost when JSON is parsed.
 */
function cleaned(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\0\uFEFF]/g, '')
    .replaceAll(/\r\n?/g, '\n');
}

const inQuotes = 'Write text, in quotes.';

// No `pipe`: conform would coerce an empty string inside it to `undefined`.
const text = z
  .string({ error: inQuotes })
  .optional()
  .transform((value = '') => cleaned(value))
  .check(atMost(noteLimits.text));

const title = z
  .string({ error: inQuotes })
  .optional()
  .transform((value = '') => (isBlank(value) ? '' : cleaned(value).replaceAll(/\s+/g, ' ').trim()))
  .check(atMost(noteLimits.title));

const inOneField = z
  .string()
  .optional()
  .transform((value = '') => tagsFrom(value.split(',')));

const inAList = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(',') : value),
    z.array(z.string({ error: inQuotes }), {
      error: 'Write a list of texts, or one text with commas.',
    }),
  )
  .optional()
  .transform((value = []) => tagsFrom(value));

const tagErrors = [
  { error: `A tag has at most ${noteLimits.tag} characters.`, isFine: areShort },
  { error: `Use at most ${mostTags} tags.`, isFine: (all: string[]) => all.length <= mostTags },
] as const;

function withTagErrors<Schema extends z.ZodType<string[]>>(tags: Schema) {
  return tagErrors.reduce((schema, { error, isFine }) => schema.refine(isFine, { error }), tags);
}

/**
 * A note from its form, with all tags in one field. conform turns an empty field into `undefined`.
 */
export const noteSchema = z
  .object({
    title,
    text,
    tags: withTagErrors(inOneField),
  })
  .refine(hasWords, { error: 'Write a title or a text.', path: ['text'] });

const writeDate = 'Write a date such as 2026-01-31 or 2026-01-31T09:30:00Z, in quotes.';

const written =
  /^(\d{4}-\d\d-\d\d)(?:(?:T| +)(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?: *(Z|[+-]\d\d:?\d\d))?)?$/i;

/** Programs write dates without a time, or with a space before it; clocks and time zones differ by up to a day. */
const moment = z
  .string({ error: writeDate })
  .trim()
  .regex(written, { error: writeDate, abort: true })
  .transform((value) => {
    const [, date = '', time = '00:00', seconds = ':00', zone = 'Z'] = written.exec(value) ?? [];
    return `${date}T${time}${seconds}${zone.replace(/(\d\d):?(\d\d)$/, '$1:$2').toUpperCase()}`;
  })
  .refine((value) => z.iso.datetime({ offset: true }).safeParse(value).success, {
    error: writeDate,
    abort: true,
  })
  .refine((value) => isBetween(new Date(value), 0, Date.now() + 24 * 60 * 60 * 1000), {
    error: 'Use a date from 1970 until today.',
  });

const members = {
  title,
  text,
  tags: withTagErrors(inAList),
  pinned: z.boolean({ error: 'Write true or false, without quotes.' }).default(false),
  /** For both of the following. */
  date: moment.optional(),
  createdAt: moment.optional(),
  updatedAt: moment.optional(),
};

/** A note from a file, which determines neither its owner nor its id. */
export const importedNoteSchema = z
  .preprocess(
    withoutNulls,
    z.strictObject(members, {
      error: ({ code }) =>
        code === 'unrecognized_keys'
          ? `A note has only ${Object.keys(members)
              .join(', ')
              .replace(/, (?=\w+$)/, ' and ')}. Rename or remove the rest.`
          : 'Write each note as an object, such as {"title": "…", "text": "…"}.',
    }),
  )
  .refine(hasWords, { error: 'Write a title or a text, or remove the note.' })
  .transform(({ date, createdAt = date, updatedAt = date, ...note }) => ({
    ...note,
    createdAt,
    updatedAt,
  }));

export interface ImportedNote extends NoteWords {
  pinned: boolean;
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
}

/** A note's id, from a form or an address. */
export const idSchema = z.uuid();

/** A tag in its normalised form, the same for tags that look alike or differ in case. */
export function tagOf(value: string): string {
  return composed(
    withoutInvisible(cleaned(value))
      .replaceAll(/[\s,\u2800]+/g, ' ')
      .trim()
      // Which of the two small letters is right depends on the neighbouring letters.
      .replaceAll(/[σς]/g, 'Σ')
      .toLowerCase()
      // Of `İ`. It is not drawn: the letter has a dot.
      .replaceAll(/(?<=\p{Soft_Dotted})\u0307/gu, ''),
  );
}

/** The search query as typed, and whether it was too long to be searched whole. */
export function queryOf(value: string | null): { query: string; isCut: boolean } {
  const typed = isBlank(value ?? '') ? '' : cleaned(value ?? '');
  return {
    query: truncate(typed, queryMaxLength),
    isCut: lengthOf(typed) > queryMaxLength,
  };
}

function hasWords({ title, text }: { title: string; text: string }): boolean {
  return !isBlank(title) || !isBlank(text);
}

/** Programs write null for what is absent. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function isBetween(date: Date, from: number, until: number): boolean {
  return date.getTime() >= from && date.getTime() <= until;
}

/** Tags in their normalised form. */
export function tagsFrom(all: readonly string[]): string[] {
  return [...new Set(all.map(tagOf).filter((tag) => !isBlank(tag)))].sort();
}

function areShort(tags: string[]): boolean {
  return tags.every((tag) => lengthOf(tag) <= noteLimits.tag);
}
