// @ts-check
/** The fixture of `slow-site.test.ts`: each page takes 5 s, and `/hangs` never responds. */
import { createServer } from 'node:http';

const server = createServer(({ url }, response) => {
  if (url === '/hangs') return;
  response.setHeader('cache-control', 'no-store');
  setTimeout(() => response.end('Slow'), url === '/readyz' ? 0 : 5_000);
});
server.listen(Number(process.env['PORT']), process.env['HOST']);
