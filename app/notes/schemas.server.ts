/** Validation of note forms and imported files. */
import { z } from 'zod';
import { atMost, lengthOf, truncate } from '~/frame/text-length';
import { mostTags, noteLimits, queryMaxLength } from './note';

/** Browsers send CRLF line endings. PostgreSQL cannot store NUL in text, and no store half of a surrogate pair. */
function cleaned(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').replaceAll(/\r\n?/g, '\n');
}

// No `pipe`: conform would coerce an empty string inside it to `undefined`.
const text = z
  .string()
  .optional()
  .transform((value = '') => cleaned(value))
  .check(atMost(noteLimits.text));

const title = z
  .string()
  .optional()
  .transform((value = '') => cleaned(value).replaceAll(/\s+/g, ' ').trim())
  .check(atMost(noteLimits.title));

const inOneField = z
  .string()
  .optional()
  .transform((value = '') => tagsOf(value.split(',')));

const inAList = z
  .array(z.string())
  .optional()
  .transform((value = []) => tagsOf(value));

const tagErrors = [
  { error: `A tag has at most ${noteLimits.tag} characters.`, isFine: areShort },
  { error: `Use at most ${mostTags} tags.`, isFine: (all: string[]) => all.length <= mostTags },
] as const;

function withTagErrors<Schema extends z.ZodType<string[], string[] | string | undefined>>(
  tags: Schema,
) {
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
  .refine((note) => note.title !== '' || note.text.trim() !== '', {
    error: 'Write a title or a text.',
    path: ['text'],
  });

const longAgo = '1970-01-01T00:00:00.000Z';
const moment = z.iso
  .datetime({ offset: true })
  .refine((value) => new Date(value) >= new Date(longAgo) && new Date(value) <= new Date());

/** A note from a file, which determines neither its owner nor its id. */
export const importedNoteSchema = z.object({
  title,
  text,
  tags: withTagErrors(inAList),
  pinned: z.boolean().default(false),
  createdAt: moment.optional(),
  updatedAt: moment.optional(),
});

export type ImportedNote = z.output<typeof importedNoteSchema>;

/** A note's id, from a form or an address. */
export const idSchema = z.uuid();

/** A tag in its normalised form. */
export function tagOf(value: string): string {
  return cleaned(value)
    .normalize('NFC')
    .replaceAll(/[\s,]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The search query as typed. */
export function queryOf(value: string | null): string {
  return truncate(cleaned(value ?? ''), queryMaxLength);
}

function tagsOf(all: string[]): string[] {
  return [...new Set(all.map(tagOf).filter(Boolean))].sort();
}

function areShort(tags: string[]): boolean {
  return tags.every((tag) => lengthOf(tag) <= noteLimits.tag);
}
