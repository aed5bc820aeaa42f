/**
 * Parses a form with a file as a stream: the file is passed on in chunks and never held in memory.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { PlatformSdkError } from './sdk-error.ts';

/** Limits of the other fields. The route's `handle` limits the body as a whole. */
const limits = {
  files: 1,
  fields: 20,
  parts: 21,
  fieldSize: 64 * 1024,
  headerPairs: 20,
  headerSize: 8 * 1024,
};

export interface UploadForm<Taken> {
  fields: Map<string, string>;
  /** The result of `takeFile`. Undefined if no file was chosen. */
  file: Taken | undefined;
}

/**
 * Parses a `multipart/form-data` request.
 *
 * @param name of the file field.
 * @param takeFile called when the file begins, with the fields that precede it. It must read the
 *   file to its end or fail. Its stream errors if the form is truncated.
 * @throws {PlatformSdkError} 400 for another kind of body, or one that exceeds the limits.
 * @throws whatever `takeFile` throws.
 */
export async function readUploadForm<Taken>(
  request: Request,
  name: string,
  takeFile: (
    file: ReadableStream<Uint8Array>,
    before: ReadonlyMap<string, string>,
  ) => Promise<Taken>,
): Promise<UploadForm<Taken>> {
  const fields = new Map<string, string>();
  const parser = createParser(request);
  const { body } = request;
  if (!parser || !body) throw malformed();

  let file: Readable | undefined;
  let taken: Promise<Taken> | undefined;
  const refuse = () => parser.destroy(malformed());
  parser
    .on('filesLimit', refuse)
    .on('fieldsLimit', refuse)
    .on('partsLimit', refuse)
    .on('field', (field, value, _isNameCut, isValueCut) => {
      if (isValueCut) refuse();
      else fields.set(field, value);
    })
    .on('file', (field, stream, filename) => {
      // Browsers send an empty filename when no file was chosen.
      if (field !== name || !filename) {
        stream.on('error', refuse).resume();
        return;
      }
      file = stream;
      // Errors reach whoever reads the stream. Without this listener, an error before that would
      // end the process.
      stream.on('error', () => undefined);
      // The async wrapper also catches a synchronous throw, which the parser would not.
      taken = (async () => takeFile(webStreamOf(stream), fields))();
      taken.catch((error: unknown) => {
        parser.destroy(error instanceof Error ? error : malformed(error));
      });
    });

  try {
    await pipeline(Readable.fromWeb(body as NodeReadableStream), parser);
    return { fields, file: await taken };
  } catch (error) {
    // Otherwise `takeFile` would wait forever for the rest of the file.
    file?.destroy(malformed(error));
    await taken?.catch(() => undefined);
    throw error instanceof PlatformSdkError ? error : malformed(error);
  }
}

/** Null for another content type, or one without a boundary. */
function createParser({ headers }: Request): BusboyInstance | null {
  const type = headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) return null;
  try {
    return new Busboy({ headers: { 'content-type': type }, limits });
  } catch {
    return null;
  }
}

function malformed(cause?: unknown): PlatformSdkError {
  return new PlatformSdkError(400, 'malformed_form', { cause });
}

function webStreamOf(file: Readable): ReadableStream<Uint8Array> {
  const chunks = file.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: () => void file.resume(),
    },
    { highWaterMark: 0 },
  );
}
