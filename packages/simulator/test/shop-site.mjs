/**
 * A minimal site for the platform's page to frame: three pages that greet the visitor, and links that
 * navigate between them on the client, as those of a framework do.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const greeting = process.env['GREETING'] ?? '';
const pages = { '/': 'Home', '/prints': 'Prints', '/account': 'Account' };

const script = `
  const show = async () => {
    const { pathname } = location;
    const answer = await fetch((pathname === '/' ? '/_root' : pathname) + '.data');
    document.querySelector('h1').textContent = await answer.text();
  };
  addEventListener('popstate', show);
  addEventListener('click', (event) => {
    if (event.target.tagName !== 'A') return;
    event.preventDefault();
    history.pushState(null, '', event.target.href);
    void show();
  });
`;

const policy = [
  "default-src 'self'",
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
].join('; ');

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  const [, data] = /^(.*)\.data$/.exec(pathname) ?? [];
  const path = data === '/_root' ? '/' : (data ?? pathname);
  const title = new Map(Object.entries(pages)).get(path);
  if (title === undefined) {
    response
      .writeHead(['/readyz', '/favicon.svg', '/favicon.ico'].includes(path) ? 200 : 404)
      .end();
  } else if (data === undefined) {
    void greet().then((text) => response.writeHead(200, headers).end(page(title, text)));
  } else {
    response.end(title);
  }
}).listen(Number(process.env['PORT']), '127.0.0.1');

const headers = { 'content-type': 'text/html', 'content-security-policy': policy };

async function greet() {
  const user = await fetch(`${process.env['PLATFORM_INTERNAL_URL'] ?? ''}/user`);
  if (!user.ok) return `${greeting}, whoever you are.`;
  const { name } = /** @type {{ name: string }} */ (await user.json());
  return `${greeting}, ${name}.`;
}

/** @param {string} title @param {string} text */
function page(title, text) {
  const links = Object.entries(pages).map(([path, name]) => `<a href="${path}">${name}</a>`);
  return `<!doctype html>
    <html lang="en">
      <title>${title}</title>
      <header><nav>${links.join(' ')}</nav></header>
      <main><h1>${title}</h1><p>${text}</p></main>
      <script>${script}</script>
    </html>`;
}
