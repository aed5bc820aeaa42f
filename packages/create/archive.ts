/** A release's template as one file. npm would leave `.gitignore`, `.npmrc` and `package-lock.json` out of a package. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Files } from './plan.ts';

type Entry = [file: string, content: string, encoding: 'utf8' | 'base64'];

export function archiveOf(files: Files): Uint8Array {
  const entries = [...files].map(([file, content]): Entry => {
    const bytes = Buffer.from(content);
    const text = bytes.toString();
    return bytes.equals(Buffer.from(text))
      ? [file, text, 'utf8']
      : [file, bytes.toString('base64'), 'base64'];
  });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    // The locks of the choices are alike, and further apart than gzip could look back.
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  return brotliCompressSync(JSON.stringify(entries), { params });
}

export function filesIn(archive: Uint8Array): Files {
  const entries = JSON.parse(brotliDecompressSync(archive).toString()) as Entry[];
  return new Map(entries.map(([file, text, encoding]) => [file, Buffer.from(text, encoding)]));
}

/** The archive has no modes: a script begins with the name of its interpreter. */
export function isExecutable(content: Uint8Array): boolean {
  return content[0] === 0x23 && content[1] === 0x21;
}
