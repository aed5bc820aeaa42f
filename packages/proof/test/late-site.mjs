// @ts-check
/** The fixture of `late-pages.test.ts`: `/` is correct, and each other page is late in its own way. */
import { createServer } from 'node:http';

/** @type {Record<string, string>} */
const pages = {
  '/': '<p>Nothing is late here.</p>',
  '/never-ends': '<p>More is to come.</p>',
  '/never-loads': '<img src="/never.png" alt="A picture">',
  '/blocks': '<script src="/blocks.js" defer></script>',
  '/leaves': '<script src="/leaves.js" defer></script>',
  '/downloads': '<a href="/api/never" download>Save</a>',
};

/** @type {Record<string, string>} */
const scripts = {
  '/blocks.js': 'setTimeout(() => { for (;;); })',
  '/leaves.js': "location.assign(['', 'never'].join('/'))",
};

const server = createServer(({ url = '/' }, response) => {
  const { pathname } = new URL(url, 'http://site.invalid');
  response.setHeader('cache-control', 'no-store');
  if (pathname === '/readyz' || pathname === '/favicon.ico') {
    response.end();
    return;
  }
  const script = scripts[pathname];
  if (script !== undefined) {
    response.setHeader('content-type', 'text/javascript').end(script);
    return;
  }
  const content = pages[pathname];
  // Never responds.
  if (content === undefined) return;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.write(
    `<!doctype html><html lang="en"><title>Late</title><main><h1>Late</h1>${content}</main>`,
  );
  if (pathname !== '/never-ends') response.end();
});
server.listen(Number(process.env['PORT']), process.env['HOST']);
