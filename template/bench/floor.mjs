/**
 * The floor: the fastest that Node.js can relay a request, and stream a page with deferred data. It uses only
 * `node:http` and a pooled undici client, and checks nothing.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';

const pool = new Pool(process.env['PLATFORM_INTERNAL_URL'] ?? '', { connections: 64 });

const server = createServer((request, response) => {
  if (request.url === '/') {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .write('<!DOCTYPE html><p>the shell</p>');
    setTimeout(() => response.end('<p>late words</p>'), 1_000);
    return;
  }
  pool.request({ method: 'GET', path: '/user' }).then(
    async ({ statusCode, headers, body }) => {
      const bytes = Buffer.from(await body.arrayBuffer());
      response.writeHead(statusCode, {
        'content-type': headers['content-type'] ?? 'application/json',
        'cache-control': 'no-store',
        'content-length': bytes.length,
      });
      response.end(bytes);
    },
    () => {
      response.writeHead(502).end();
    },
  );
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
