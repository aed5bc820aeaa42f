/** Parses an import's files as they arrive, note by note, within limits. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { z } from 'zod';
import { importedNoteSchema, type ImportedNote } from '../schemas.server';
import { jsonReader } from './json.server';
import { importLimits } from './limits';
import { markdownReader } from './markdown.server';
import {
  FileProblem,
  ImportError,
  Problems,
  shortened,
  tooMuch,
  type FileReader,
} from './reading.server';

/**
 * Parses a `multipart/form-data` request with files. The notes are collected in memory, within
 * limits, before they are stored: a slow upload does not lock the store, and an invalid file adds
 * nothing.
 *
 * @param checkFields called with the fields that precede the first file; throws to reject them.
 * @throws {ImportError}
 */
export async function readImport(
  request: Request,
  checkFields: (fields: ReadonlyMap<string, string>) => void,
): Promise<ImportedNote[]> {
  const parser = createParser(request);
  const { body } = request;
  if (!parser || !body) throw new ImportError(['The request is not a form with files.']);
  const fields = new Map<string, string>();
  const notes: ImportedNote[] = [];
  const problems = new Problems();
  let checked = false;
  const check = () => {
    if (!checked) checkFields(fields);
    checked = true;
  };
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      parser.destroy(asError(error));
    }
  };
  const fail = () => parser.destroy(tooMuch());
  parser
    .on('filesLimit', fail)
    .on('fieldsLimit', fail)
    .on('partsLimit', fail)
    .on('field', (name, value) => fields.set(name, value))
    .on('file', (_name, stream, filename) => {
      stream.on('error', () => undefined);
      if (!filename) {
        stream.resume();
        return;
      }
      attempt(check);
      const file = readFile(filename, problems, (note) => {
        if (notes.length === importLimits.notes) throw tooMuch();
        notes.push(note);
      });
      stream
        .on('limit', fail)
        .on('data', (chunk: Buffer) => {
          attempt(() => {
            file.write(chunk);
          });
        })
        .on('end', () => {
          attempt(file.end);
        });
    });
  try {
    await pipeline(Readable.fromWeb(body as NodeReadableStream), parser);
  } catch (error) {
    if (error instanceof CarriedResponse) throw error.response;
    // A lost connection or truncated form. Bodies that are too large are rejected by the listener.
    if (error instanceof ImportError) throw error;
    throw new ImportError(['The files could not be read completely. Try again.']);
  }
  check();
  problems.check();
  if (notes.length === 0) throw new ImportError(['There are no notes in these files.']);
  return notes;
}

/** Reads a file up to its first problem, or up to the end if only notes have problems. */
function readFile(filename: string, problems: Problems, add: (note: ImportedNote) => void) {
  const file = `“${shortened(filename)}”`;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let reader: FileReader | undefined;
  let isOver = false;
  const addUnchecked = (value: unknown) => {
    number += 1;
    const note = importedNoteSchema.safeParse(value);
    if (note.success) add(note.data);
    else
      for (const issue of note.error.issues)
        problems.add(`${file}, note ${number}: ${sentenceOf(issue)}`);
  };
  const attempt = (work: (reader: FileReader) => void) => {
    if (isOver) return;
    try {
      work((reader ??= readerFor(filename, addUnchecked)));
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      isOver = true;
      problems.add(file + error.message);
    }
  };
  const decoded = (chunk?: Buffer) => {
    let text;
    try {
      text = decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new FileProblem(' is not UTF-8 text: save it as UTF-8.');
    }
    // Every other byte of most UTF-16, which is valid UTF-8 as well. No text has this character.
    if (text.includes('\0')) throw new FileProblem(' is UTF-16 text: save it as UTF-8.');
    return text;
  };
  return {
    write: (chunk: Buffer) => {
      attempt(({ write }) => {
        write(decoded(chunk));
      });
    },
    end: () => {
      attempt(({ write, end }) => {
        write(decoded());
        end();
      });
    },
  };
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

function readerFor(filename: string, add: (value: unknown) => void): FileReader {
  if (/\.json$/i.test(filename)) return jsonReader(add);
  if (/\.(md|markdown)$/i.test(filename)) return markdownReader(add);
  throw new FileProblem(
    ' is neither a JSON nor a Markdown file: choose files that end in .json, .md or .markdown.',
  );
}

/** Null for another content type, or one without a boundary. */
function createParser({ headers }: Request): BusboyInstance | null {
  const type = headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) return null;
  try {
    const { files, bytes } = importLimits;
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        files,
        fileSize: bytes,
        fields: 10,
        parts: files + 11,
        fieldSize: 1024,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    });
  } catch {
    return null;
  }
}

/**
 * Carries a `Response` through the stream, which can only be destroyed with an error, so that it
 * can be rethrown for Remix.
 */
class CarriedResponse extends Error {
  constructor(readonly response: Response) {
    super();
  }
}

function asError(thrown: unknown): Error {
  if (thrown instanceof Response) return new CarriedResponse(thrown);
  return thrown instanceof Error ? thrown : new Error('A value that is not an Error was thrown.');
}
