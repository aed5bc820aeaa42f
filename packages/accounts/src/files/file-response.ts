/** A kept file as a response, whole, in part or not at all, if the client has it (RFC 9110, sections 13 and 14). */
import contentDisposition from 'content-disposition';

export interface ServedFile {
  name: string;
  type: string;
  size: number;
  sha256: string | null;
}

/** Types that a page shows; all others are only saved. */
const shown = /^(image\/(png|jpeg|webp|avif|gif)|(audio|video)\/[\w.-]+)$/;

export interface FileResponseOptions {
  /** The route's `handle` says how long caches keep it. */
  isForEverybody: boolean;
  /** The bytes from `start` to `end`, exclusive. */
  read: (start: number, end: number) => ReadableStream;
}

export function fileResponse(
  { method, headers: requested }: Request,
  { name, type, size, sha256 }: ServedFile,
  { isForEverybody, read }: FileResponseOptions,
): Response {
  const etag = `"${sha256 ?? ''}"`;
  // `no-transform`: a range counts bytes of the file itself.
  const caching = {
    etag,
    'cache-control': isForEverybody ? 'no-transform' : 'private, no-store, no-transform',
  };
  if (isKnown(requested.get('if-none-match') ?? '', etag)) {
    return new Response(null, { status: 304, headers: caching });
  }
  const headers = {
    ...caching,
    'accept-ranges': 'bytes',
    'content-type': type,
    'content-disposition': contentDisposition(name, {
      type: shown.test(type) ? 'inline' : 'attachment',
    }),
    'x-content-type-options': 'nosniff',
  };
  const isHead = method === 'HEAD';
  const condition = requested.get('if-range');
  const range =
    isHead || (condition !== null && condition !== etag)
      ? null
      : rangeOf(requested.get('range') ?? '', size);
  if (range === 'unsatisfiable') {
    const none = { 'content-range': `bytes */${size}`, 'cache-control': 'no-store' };
    return new Response(null, { status: 416, headers: none });
  }
  const { start, end } = range ?? { start: 0, end: size };
  return new Response(isHead ? null : read(start, end), {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': `${end - start}`,
      ...(range && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
    },
  });
}

/** No tag of ours contains a comma. */
function isKnown(known: string, etag: string): boolean {
  return known.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}

/** Null for the whole file: a server may ignore what is not a single range of bytes. */
function rangeOf(
  range: string,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === '' && last === '') return null;
  if (first !== '' && last !== '' && Number(first) > Number(last)) return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : 'unsatisfiable';
}
