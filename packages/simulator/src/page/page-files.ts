/** Serves the platform's page: a few static files, with the strictest headers that it works with. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

const SCRIPTS = [
  'page.js',
  'control.js',
  'people-view.js',
  'faults-view.js',
  'mailbox-view.js',
  'ledger-view.js',
];

/** Content type by path; no other file of the folder is served. */
const FILES: Readonly<Record<string, { file: string; type: string }>> = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
  '/favicon.svg': { file: 'favicon.svg', type: 'image/svg+xml' },
  ...Object.fromEntries(
    SCRIPTS.map((file) => [`/${file}`, { file, type: 'text/javascript; charset=utf-8' }]),
  ),
};

/**
 * Answers with a file of the page, or 404.
 *
 * @param siteOrigin the origin that the page frames, and fetches the signed-in persona from.
 */
export function servePageFile(
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
  siteOrigin: string,
): void {
  const entry = Object.hasOwn(FILES, pathname) ? FILES[pathname] : undefined;
  if (!entry) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found.\n');
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  response.writeHead(200, {
    'content-type': entry.type,
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      `connect-src 'self' ${siteOrigin}`,
      `frame-src ${siteOrigin}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
  });
  // Read at each request, so that edits show on reload.
  response.end(readFileSync(new URL(entry.file, import.meta.url)));
}
