/**
 * Serves the built files from memory, complete or by range. They total half a megabyte; caching them saves a
 * file descriptor per request, and a deploy that deletes them breaks nothing.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import compressible from 'compressible';
import { lookup } from 'mrmime';
import parseRange from 'range-parser';
import { compress } from './compression';
import type { ServerSettings } from '../site';
import { headersFor } from './headers';

/**
 * @param folder the client build.
 * @returns a middleware that answers `GET` and `HEAD` for built files, and calls `next` for everything else.
 */
export function createAssets(folder: string, env: ServerSettings) {
  const table = headersFor({ kind: 'asset', env });
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        const name = relative(folder, file).split(sep).join('/');
        // As browsers write it: a name may have spaces, or letters beyond ASCII.
        const path = `/${encodeURI(name).replace(/[?#]/g, encodeURIComponent)}`;
        const bytes = readFileSync(file);
        const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
        const type = contentTypeOf(path);
        const headers = {
          ...table,
          // These file names contain a content hash.
          'cache-control': path.startsWith('/assets/')
            ? 'public, max-age=31536000, immutable'
            : 'public, max-age=3600',
          // Weak if the file may be compressed, because both encodings share the tag.
          etag: compressible(type) ? `W/${tag}` : tag,
          'accept-ranges': 'bytes',
        };
        return [path, { bytes, headers, tag, type }] as const;
      })
      // Vite's manifest, which only tools need.
      .filter(([path]) => !path.startsWith('/.vite/')),
  );

  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const { method, url = '' } = request;
    const file = files.get(url.split('?', 1)[0] ?? '');
    if (!file || (method !== 'GET' && method !== 'HEAD')) {
      next();
      return;
    }
    if (request.headers['if-none-match']?.includes(file.tag)) {
      response.writeHead(304, file.headers).end();
      return;
    }
    const part = method === 'GET' ? partOf(request, file) : null;
    if (part === 'beyond') {
      const contentRange = `bytes */${file.bytes.length}`;
      response.writeHead(416, { ...file.headers, 'content-range': contentRange }).end();
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

/**
 * The requested range, both ends inclusive; null for the complete file. Multiple ranges also get the complete
 * file, as any server may do (RFC 9110, section 14.2).
 */
function partOf(
  { headers }: IncomingMessage,
  { bytes, headers: { etag } }: { bytes: Buffer; headers: { etag: string } },
): { start: number; end: number } | 'beyond' | null {
  // `If-Range` needs a strong validator (RFC 9110, section 13.1.5).
  const validator = headers['if-range'];
  const isCurrent = validator === undefined || (validator === etag && !etag.startsWith('W/'));
  if (headers.range === undefined || !isCurrent) return null;
  const parts = parseRange(bytes.length, headers.range);
  if (parts === -1) return 'beyond';
  if (parts === -2 || parts.type !== 'bytes') return null;
  const [part, ...others] = parts;
  return part && others.length === 0 ? part : null;
}

function contentTypeOf(path: string): string {
  const type = lookup(path) ?? 'application/octet-stream';
  return /^text\/|javascript|json|svg/.test(type) ? `${type}; charset=utf-8` : type;
}
