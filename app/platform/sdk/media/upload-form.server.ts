/** Reads a form with a file as a stream: the file is passed on in chunks and never held whole. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { PlatformSdkError } from '../sdk-error.server';

/** Limits of the fields beside the file. The route's `handle` limits the whole body. */
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
  /** What `takeFile` gave. Undefined where no file was chosen. */
  file: Taken | undefined;
}

/**
 * Reads a `multipart/form-data` request.
 *
 * @param name of the file's field.
 * @param takeFile is called when the file begins, with the fields before it, and must read the file to its end or
 *   fail. Its stream errors when the form breaks off.
 * @throws {PlatformSdkError} 400 for what is no such form or exceeds the limits.
 * @throws what `takeFile` throws.
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
      // A browser sends an empty filename where no file was chosen.
      if (field !== name || !filename) {
        stream.on('error', refuse).resume();
        return;
      }
      file = stream;
      // Whoever reads the stream hears of its errors; where nobody has begun to, they would end the process.
      stream.on('error', () => undefined);
      // In a promise, also what it throws at once: the parser would not catch that.
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

/** Null for another content type, or for one without a boundary. */
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
