/**
 * The built files, answered from memory. They are half a megabyte: read once, they need no descriptor
 * for each request, no range, and no file that is still there when it is asked for.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { lookup } from 'mrmime';
import { compress } from './compression.server';
import type { SiteEnv } from './env.server';
import { headersFor } from './headers.server';

/**
 * @param folder the client build.
 * @returns answers `GET` and `HEAD` for a built file, and calls `next` for all else.
 */
export function createAssets(folder: string, env: SiteEnv) {
  const table = headersFor({ kind: 'asset', env });
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        const path = `/${relative(folder, file).split(sep).join('/')}`;
        const bytes = readFileSync(file);
        const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
        const headers = {
          ...table,
          // The names of these hold a hash of what is in them.
          'cache-control': path.startsWith('/assets/')
            ? 'public, max-age=31536000, immutable'
            : 'public, max-age=3600',
          // Weak: the compressed file has the same.
          etag: `W/${tag}`,
        };
        return [path, { bytes, headers, tag, type: contentTypeOf(path) }] as const;
      })
      // Vite's manifest is for tools.
      .filter(([path]) => !path.startsWith('/.')),
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
    compress(request, response);
    response.writeHead(200, {
      ...file.headers,
      'content-type': file.type,
      'content-length': file.bytes.length,
    });
    response.end(method === 'HEAD' ? undefined : file.bytes);
  };
}

function contentTypeOf(path: string): string {
  const type = lookup(path) ?? 'application/octet-stream';
  return /^text\/|javascript|json|svg/.test(type) ? `${type}; charset=utf-8` : type;
}
