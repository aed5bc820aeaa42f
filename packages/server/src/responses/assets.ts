/**
 * Serves the built files from memory, complete or by range. They total half a megabyte; caching them saves a
 * file descriptor per request, and a deploy that deletes them breaks nothing.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import compressible from 'compressible';
import { lookup } from 'mrmime';
import { compress } from './compression.ts';
import { isKnown, tagsIn } from './entity-tags.ts';
import type { ServerSettings } from '../site.ts';
import { headersFor } from './headers.ts';

type Headers = ReturnType<typeof headersFor>;

interface ServedFile {
  bytes: Buffer;
  headers: Headers & { etag: string };
  tag: string;
  type: string;
}

/**
 * @param folder the client build.
 * @returns a middleware that answers `GET` and `HEAD` for built files, and calls `next` for everything else.
 */
export function createAssets(folder: string, env: ServerSettings) {
  const table = headersFor({ kind: 'asset', env });
  const files = filesIn(folder)
    // Vite's manifest, which only tools need.
    .filter((name) => !name.startsWith('.vite/'))
    .map((name) => {
      // These file names contain a content hash.
      const lifetime = name.startsWith('assets/') ? '31536000, immutable' : '3600';
      const headers = { ...table, 'cache-control': `public, max-age=${lifetime}` };
      return [name, servedFile(name, readFileSync(join(folder, name)), headers)] as const;
    });
  return serveFiles(lookupOf(files));
}

/** The names of all files in a folder, with slashes. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
    .map((name) => name.split(sep).join('/'));
}

/**
 * Finds what a path names, in any spelling: each segment is decoded once. A letter with an accent may be one character or
 * two (NFC, NFD): file systems and editors differ.
 */
export function lookupOf<Found>(named: readonly (readonly [name: string, Found])[]) {
  const exact = new Map(named);
  const normal = new Map(named.map(([name, found]) => [name.normalize(), found]));
  return (path: string): Found | undefined => {
    const name = decodedName(path);
    return name === null ? undefined : (exact.get(name) ?? normal.get(name.normalize()));
  };
}

/** Null for a path that cannot be decoded. An encoded slash separates nothing, and no name contains one. */
function decodedName(path: string): string | null {
  if (!path.includes('%')) return path.slice(1);
  try {
    const segments = path.slice(1).split('/').map(decodeURIComponent);
    return segments.some((segment) => segment.includes('/')) ? null : segments.join('/');
  } catch {
    return null;
  }
}

export function servedFile(name: string, bytes: Buffer, headers: Headers): ServedFile {
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const type = contentTypeOf(name);
  const own = { ...headers, 'accept-ranges': 'bytes' };
  // Weak if the file may be compressed, because both encodings share the tag.
  return compressible(type)
    ? { bytes, headers: { ...own, etag: `W/${tag}`, vary: 'Accept-Encoding' }, tag, type }
    : { bytes, headers: { ...own, etag: tag }, tag, type };
}

/** For a refusal of one request's conditions, which a cache could give to others. */
const uncached = { 'cache-control': 'no-store' };

/** A middleware for the files that are found for a path. */
export function serveFiles(find: (path: string) => ServedFile | undefined) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const { method, url = '' } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    const file = isRead ? find(url.split(/[?#]/, 1)[0] ?? '') : undefined;
    if (!file) {
      next();
      return;
    }
    // In the order of RFC 9110, section 13.2.2. No file has a modification date to compare.
    const { 'if-match': wanted, 'if-none-match': known } = request.headers;
    if (wanted !== undefined && !tagsIn(wanted).some((tag) => tag === '*' || isStrong(tag, file))) {
      response.writeHead(412, { ...file.headers, ...uncached }).end();
      return;
    }
    if (known !== undefined && isKnown(known, file.tag)) {
      response.writeHead(304, file.headers).end();
      return;
    }
    const part = method === 'GET' ? partOf(request, file) : null;
    if (part === 'beyond') {
      const contentRange = `bytes */${file.bytes.length}`;
      response
        .writeHead(416, { ...file.headers, ...uncached, 'content-range': contentRange })
        .end();
      return;
    }
    const headers = { ...file.headers, 'content-type': file.type };
    if (part) {
      const { start, end } = part;
      response.writeHead(206, {
        ...headers,
        'content-range': `bytes ${start}-${end}/${file.bytes.length}`,
        'content-length': end - start + 1,
      });
      response.end(file.bytes.subarray(start, end + 1));
      return;
    }
    compress(request, response);
    response.writeHead(200, { ...headers, 'content-length': file.bytes.length });
    response.end(method === 'HEAD' ? undefined : file.bytes);
  };
}

/** Whether a tag names the file and guarantees its bytes. */
function isStrong(tag: string, file: ServedFile): boolean {
  return tag === file.tag && tag === file.headers.etag;
}

/**
 * The requested range, both ends inclusive; null for the complete file. Multiple ranges also get the complete
 * file, as any server may do (RFC 9110, section 14.2).
 */
function partOf(
  { headers }: IncomingMessage,
  file: ServedFile,
): { start: number; end: number } | 'beyond' | null {
  const { range = '', 'if-range': validator } = headers;
  const last = file.bytes.length - 1;
  const [matched, from = '', to = '', suffix = ''] =
    /^bytes=[\s,]*(?:(\d+)-(\d*)|-(\d+))[\s,]*$/i.exec(range) ?? [];
  if (matched === undefined || last < 0) return null;
  // A date validates nothing here: no file has one.
  const isCurrent = validator === undefined || isStrong(String(validator), file);
  if (!isCurrent) return null;
  if (suffix !== '') {
    return Number(suffix) === 0
      ? 'beyond'
      : { start: Math.max(last + 1 - Number(suffix), 0), end: last };
  }
  const start = Number(from);
  if (to !== '' && Number(to) < start) return null;
  return start > last ? 'beyond' : { start, end: to === '' ? last : Math.min(Number(to), last) };
}

function contentTypeOf(name: string): string {
  const type = lookup(name) ?? 'application/octet-stream';
  return /^text\/|javascript|json|svg/.test(type) ? `${type}; charset=utf-8` : type;
}
