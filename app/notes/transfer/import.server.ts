/** Reads an import's files, note by note, within limits. */
import type { z } from 'zod';
import { importedNoteSchema, type ImportedNote } from '../schemas.server';
import { notesInJson } from './json.server';
import { importLimits } from './limits';
import { notesInMarkdown } from './markdown.server';
import { FileProblem, ImportError, Problems, shortened, tooMuch } from './reading.server';

/**
 * All notes are read, within limits, before any is stored: an invalid file adds nothing. Each file is read up to its
 * first problem, or up to the end if only notes have problems.
 *
 * @throws {ImportError}
 */
export async function readImport(form: FormData): Promise<ImportedNote[]> {
  const files = [...form.values()].filter((field) => field instanceof File && field.name !== '');
  if (files.length > importLimits.files) throw tooMuch();
  const notes: ImportedNote[] = [];
  const problems = new Problems();
  for (const file of files as File[]) {
    if (file.size > importLimits.bytes) throw tooMuch();
    const name = `“${shortened(file.name)}”`;
    let number = 0;
    try {
      for await (const value of readerFor(file.name)(await textOf(file))) {
        number += 1;
        const note = importedNoteSchema.safeParse(value);
        if (note.success) notes.push(note.data);
        if (notes.length > importLimits.notes) throw tooMuch();
        for (const issue of note.error?.issues ?? [])
          problems.add(`${name}, note ${number}: ${sentenceOf(issue)}`);
      }
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      problems.add(name + error.message);
    }
  }
  problems.check();
  if (notes.length === 0) throw new ImportError(['There are no notes in these files.']);
  return notes;
}

/** @throws {FileProblem} */
async function textOf(file: File): Promise<string> {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new FileProblem(' is not UTF-8 text: save it as UTF-8.');
  }
  // Every other byte of most UTF-16, which is valid UTF-8 as well. No text has this character.
  if (text.includes('\0')) throw new FileProblem(' is UTF-16 text: save it as UTF-8.');
  return text;
}

/** Members that are named. */
const mostNamed = 5;

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    const named = issue.keys.slice(0, mostNamed).map(shortened).join(', ');
    const more = issue.keys.length - mostNamed;
    return `${named}${more > 0 ? ` and ${more} more` : ''}: ${issue.message}`;
  }
  const [member, at] = issue.path;
  if (member === undefined) return issue.message;
  return `${String(member)}${typeof at === 'number' ? ` ${at + 1}` : ''}: ${issue.message}`;
}

/** What reads the values of a file's notes, unchecked. It throws {@link FileProblem}. */
function readerFor(filename: string): (text: string) => AsyncIterable<unknown> | Iterable<unknown> {
  if (/\.json$/i.test(filename)) return notesInJson;
  if (/\.(md|markdown)$/i.test(filename)) return notesInMarkdown;
  throw new FileProblem(
    ' is neither a JSON nor a Markdown file: choose files that end in .json, .md or .markdown.',
  );
}
