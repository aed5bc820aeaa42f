/** What the forms of notes, and the files that are imported, must hold. */
import { z } from 'zod';
import { mostTags, noteLimits } from './note';

/** A browser sends CR LF. NUL has no place in PostgreSQL's text. */
function cleaned(text: string): string {
  return text.replaceAll('\0', '').replaceAll(/\r\n?/g, '\n');
}

// No pipes: Conform would make an empty text on its way through one undefined.
const text = z
  .string()
  .optional()
  .transform((value = '') => cleaned(value))
  .refine(isAtMost(noteLimits.text), { error: `Use at most ${noteLimits.text} characters.` });

const title = z
  .string()
  .optional()
  .transform((value = '') => cleaned(value).replaceAll(/\s+/g, ' ').trim())
  .refine(isAtMost(noteLimits.title), { error: `Use at most ${noteLimits.title} characters.` });

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

/** A note as its form sends it, tags in one field. Conform makes an empty field undefined. */
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

/** A note of a file. Whose it will be, and its id, no file says. */
export const importedNoteSchema = z.object({
  title,
  text,
  tags: withTagErrors(inAList),
  pinned: z.boolean().default(false),
  createdAt: moment.optional(),
  updatedAt: moment.optional(),
});

export type ImportedNote = z.output<typeof importedNoteSchema>;

/** An id, as a page gave it to a form or an address holds it. */
export const idSchema = z.uuid();

/** A tag as it is kept and compared. */
export function tagOf(value: string): string {
  return cleaned(value)
    .normalize('NFC')
    .replaceAll(/[\s,]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** What was typed to search for. */
export function queryOf(value: string | null): string {
  return cleaned(value ?? '').slice(0, 200);
}

function tagsOf(all: string[]): string[] {
  return [...new Set(all.map(tagOf).filter(Boolean))].sort();
}

function areShort(tags: string[]): boolean {
  return tags.every(isAtMost(noteLimits.tag));
}

function isAtMost(length: number) {
  return (value: string) => value.length <= length;
}
