/** Parses an import's files as they arrive, note by note, within limits. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { JSONParser, TokenType } from '@streamparser/json';
import { importedNoteSchema, type ImportedNote } from '../schemas.server';
import { importLimits } from './limits';
import { readMarkdown } from './markdown';

/** Why nothing was imported, in one sentence. */
export class ImportError extends Error {
  override name = 'ImportError';
  readonly status: 413 | 422;

  constructor(message: string, status: 413 | 422 = 422) {
    super(message);
    this.status = status;
  }
}

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
  if (!parser || !body) throw new ImportError('The request is not a form with files.');
  const fields = new Map<string, string>();
  const notes: ImportedNote[] = [];
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
  const tooMuch = () => parser.destroy(new ImportError(limitSentence, 413));
  parser
    .on('filesLimit', tooMuch)
    .on('fieldsLimit', tooMuch)
    .on('partsLimit', tooMuch)
    .on('field', (name, value) => fields.set(name, value))
    .on('file', (_name, stream, filename) => {
      stream.on('error', () => undefined);
      if (!filename) {
        stream.resume();
        return;
      }
      const count = { notes: 0 };
      const add = (value: unknown) => {
        count.notes++;
        const note = importedNoteSchema.safeParse(value);
        if (!note.success) {
          const [issue] = note.error.issues;
          const where = issue?.path.join(' ');
          throw new ImportError(
            `“${filename}”, note ${count.notes}: ${where ? `${where}: ` : ''}${issue?.message ?? 'not a note'}`,
          );
        }
        if (notes.length === importLimits.notes) throw new ImportError(limitSentence, 413);
        notes.push(note.data);
      };
      attempt(() => {
        check();
        const reader = readerFor(filename, add);
        const decoder = new TextDecoder('utf-8', { fatal: true });
        const decoded = (chunk?: Buffer) => {
          try {
            return decoder.decode(chunk, { stream: chunk !== undefined });
          } catch {
            throw new ImportError(`“${filename}” is not UTF-8 text.`);
          }
        };
        stream
          .on('limit', tooMuch)
          .on('data', (chunk: Buffer) => {
            attempt(() => {
              reader.write(decoded(chunk));
            });
          })
          .on('end', () => {
            attempt(() => {
              reader.write(decoded());
              reader.end();
            });
          });
      });
    });
  try {
    await pipeline(Readable.fromWeb(body as NodeReadableStream), parser);
  } catch (error) {
    if (error instanceof CarriedResponse) throw error.response;
    // A lost connection or truncated form. Bodies that are too large are rejected by the listener.
    if (error instanceof ImportError) throw error;
    throw new ImportError('The files could not be read completely. Nothing was imported.');
  }
  check();
  return notes;
}

const limitSentence = `Too much at once: at most ${importLimits.notes} notes, ${importLimits.files} files and ${importLimits.bytes / 1024 / 1024} MB.`;

interface FileReader {
  write: (text: string) => void;
  end: () => void;
}

function readerFor(filename: string, add: (value: unknown) => void): FileReader {
  if (/\.json$/i.test(filename)) return jsonReader(filename, add);
  if (/\.(md|markdown)$/i.test(filename)) return markdownReader(add);
  throw new ImportError(`“${filename}” is neither a JSON nor a Markdown file.`);
}

/** `{ "notes": [{ "tags": [` has four. The parser needs some 300 bytes of memory for each level. */
const deepest = 8;

/** A list of notes, or an object with one in `notes`, as the export writes it. */
function jsonReader(filename: string, add: (value: unknown) => void): FileReader {
  let parser: JSONParser | undefined;
  let depth = 0;
  const fail = () => new ImportError(`“${filename}” is not valid JSON.`);
  const write = (text: string) => {
    const [first] = text.replace(/^\uFEFF/, '').trimStart();
    if (!parser) {
      if (first === undefined) return;
      if (first !== '[' && first !== '{') throw fail();
      parser = new JSONParser({ paths: [first === '[' ? '$.*' : '$.notes.*'], keepStack: false });
      parser.onToken = ({ token }) => {
        if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1;
        if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
        if (depth > deepest) throw fail();
      };
      parser.onValue = ({ value }) => {
        add(value);
      };
      parser.onError = (error) => {
        throw error;
      };
      text = text.replace(/^\uFEFF/, '');
    }
    try {
      parser.write(text);
    } catch (error) {
      throw error instanceof ImportError ? error : fail();
    }
  };
  return {
    write,
    end: () => {
      if (!parser?.isEnded) throw fail();
    },
  };
}

/** The size limit of the form bounds this buffer. */
function markdownReader(add: (value: unknown) => void): FileReader {
  let whole = '';
  return {
    write: (text) => {
      whole += text;
    },
    end: () => {
      for (const note of readMarkdown(whole)) add(note);
    },
  };
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
