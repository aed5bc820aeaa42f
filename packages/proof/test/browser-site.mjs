/**
 * A small site for the browser checks. `/`, `/prints` and `/account` are correct; `/mistake/<name>` is `/prints` with one
 * of the mistakes in `browser-mistakes.ts`.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const internalUrl = process.env['PLATFORM_INTERNAL_URL'] ?? '';
const platform = process.env['PLATFORM_FRAME_ANCESTORS'] ?? '';
const script = readFileSync(new URL('browser-site-script.js', import.meta.url));

const style = `
  :root { color-scheme: light dark }
  body { margin: 1rem; overflow-wrap: anywhere; background: Canvas; color: CanvasText }
  nav { display: flex; flex-wrap: wrap; gap: 1rem }
  .wide { width: 400px; background: Canvas }
  .unseen { position: absolute; opacity: 0 }
  .pale { color: light-dark(black, #333) }
  @media (scripting: none) { .scripted { display: none } }
`;

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'self'; frame-ancestors ${platform}`,
};

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://site');
  respond(request.method ?? 'GET', url).then(
    ({ status = 200, type = 'text/html; charset=utf-8', body, ...more }) => {
      const own = { ...headers, 'content-type': type, ...more.headers };
      response.writeHead(status, own).end(body);
    },
    (error) => {
      response.writeHead(500, headers).end(String(error));
    },
  );
}).listen(Number(process.env['PORT']), '127.0.0.1');

/** @typedef {{ status?: number, type?: string, body?: string | Buffer, headers?: Record<string, string> }} Reply */

/** @param {string} method @param {URL} url @returns {Promise<Reply>} */
async function respond(method, url) {
  const path = url.pathname;
  const mistake = /^\/mistake\/([\w-]+)$/.exec(path)?.[1] ?? '';
  if (path === '/readyz' || path === '/favicon.ico') return { body: '' };
  if (path === '/app.js') return { type: 'text/javascript', body: script };
  if (path === '/app.css') return { type: 'text/css', body: style };
  if (path === '/dot.png') return { type: 'image/png', body: dot };
  if (path === '/api/user') {
    const user = await callPlatform('/user');
    return { status: user.status, type: 'application/json', body: user.text };
  }
  const patience = mistake === 'hangs' ? 60_000 : 2_000;
  const user = await callPlatform('/user', {}, patience);
  const isIn = user.status === 200 && isJson(user.text);
  const isOut = user.status === 401;
  if (path.startsWith('/api/')) {
    if (url.searchParams.has('slow')) await pause(3_000);
    if (!isIn) return { status: isOut ? 401 : 502, type: 'application/json', body: '{}' };
    // Sandboxed: when shown as a document, no script runs in it, not even a timer of the probe.
    const isShown = url.searchParams.has('shown');
    const attachment = {
      'content-security-policy': "default-src 'none'; sandbox",
      ...(!isShown && { 'content-disposition': 'attachment; filename="prints.json"' }),
    };
    const prints = await (method === 'POST' ? order() : callPlatform('/prints'));
    return { type: 'application/json', body: prints.text, headers: attachment };
  }
  if (method === 'POST') {
    if (isIn) await order();
    return { status: 303, headers: { location: '/prints' } };
  }
  const here = path + url.search;
  if (path === '/') {
    return { body: page(here, 'Home', isOut, 'What this is, for everybody to read.') };
  }
  if (path === '/sign-in')
    return { body: page(here, 'Sign in here', isOut, '<p>To your account.</p>') };
  // A platform session stands in for a site account here.
  if (path === '/own' || mistake === 'own-without-return') {
    if (isIn) return { body: page(here, 'Yours', false, '<p>What is yours.</p>') };
    const way = mistake ? '' : `?back=${encodeURIComponent(here)}`;
    return { status: 302, headers: { location: `/sign-in${way}` } };
  }
  if (path === '/account' || mistake === 'drops-query') {
    const back = mistake ? path : here;
    if (isOut) {
      const location = `/__auth/login?return=${encodeURIComponent(back)}`;
      return { status: 302, headers: { location } };
    }
    if (!isIn) return lost(here, user.status);
    return { body: page(here, 'Account', false, '<p>All that is known of you.</p>') };
  }
  if (path !== '/prints' && mistake === '')
    return { status: 404, body: page(here, 'Nothing', isOut, '') };
  if (mistake === 'sent-away' && !isIn) {
    return {
      status: 302,
      headers: { location: `/__auth/login?return=${encodeURIComponent(here)}` },
    };
  }
  if (!isIn && !isOut) {
    if (mistake === 'blank')
      return { status: 502, body: '<!doctype html><title>Prints</title><main></main>' };
    if (mistake === 'upstream-words') return lost(here, user.status, user.text);
    return lost(here, user.status, '', mistake !== 'no-way-back');
  }
  const prints = isIn ? await callPlatform('/prints', {}, patience) : null;
  if (prints && !isJson(prints.text)) return lost(here, 502);
  const more = { 'lax-cookie': { 'set-cookie': 'theme=dark; Path=/; SameSite=Lax' } };
  const refused = { 'x-frame': { 'content-security-policy': "frame-ancestors 'none'" } };
  return {
    body: page(
      here,
      'Prints',
      isOut,
      printsPage(here, isOut, mistake) + greeting(user.text, isIn, mistake),
      mistake,
    ),
    headers: { .../** @type {any} */ (more)[mistake], .../** @type {any} */ (refused)[mistake] },
  };
}

/** @param {string} here @param {boolean} isOut @param {string} mistake */
function printsPage(here, isOut, mistake) {
  const isEnabled = mistake === 'enabled-by-the-server' || (mistake === 'usable-at-once' && !isOut);
  const disabled = isEnabled ? '' : 'disabled';
  const back = mistake === 'wrong-return' ? '/' : here;
  const explanation =
    mistake === 'no-explanation'
      ? ''
      : '<p>Prints and history belong to your account. Sign in to go on.</p>';
  const panel =
    isOut && mistake !== 'no-panel'
      ? `<section><h2>Sign in to print</h2>${explanation}${mistake === 'sentence-alone' ? '' : signIn(back, 'Sign in')}</section>`
      : '';
  const form = `<form class="scripted" method="post" action="/prints"><fieldset ${disabled}>
    <label>Words <input name="text"></label><button>Print</button></fieldset></form>`;
  const plain = `<noscript><form method="post" action="/prints">
    <label>Words <input name="text"></label><button>Print</button></form></noscript>`;
  const mistakes = {
    'button-that-asks': '<button type="button" data-action="order">Order a sample</button>',
    'link-that-asks': '<a href="#" data-action="order">Order a sample</a>',
    'switch-that-asks': `<label>Workspace <select data-action="order"><option>One</option><option>Two</option></select></label>`,
    'said-to-be-disabled':
      '<button type="button" aria-disabled="true" data-action="order">Order a sample</button>',
    'slider-that-asks': '<label>Size <input type="range" data-action="order"></label>',
    'enter-that-asks': '<label>Words <input name="words" data-action="order"></label>',
    'upload-that-asks': '<label>Picture <input type="file" data-action="order"></label>',
    'download-link': '<a href="/api/prints" download>Save</a>',
    'download-slow': '<a href="/api/prints?slow" download>Save</a>',
    'download-by-script': '<button type="button" data-action="download">Save</button>',
    'file-link': '<a href="/api/prints">Save</a>',
    'file-shown': '<a href="/api/prints?shown">Show</a>',
    'window-open': '<button type="button" data-action="window">Save</button>',
    location: '<button type="button" data-action="location">Save</button>',
    'get-form': '<form action="/api/prints"><button>Save</button></form>',
    'hidden-frame': '<button type="button" data-action="frame">Save</button>',
    'leaves-frame': '<button type="button" data-action="leave">All of it</button>',
    'goes-back':
      '<button type="button" data-action="back">Back</button><dialog><form method="dialog"><button>Close</button></form></dialog>',
    saves: '<button type="button" data-action="save" data-name="prints.json">Save</button>',
    'saves-as-picture':
      '<button type="button" data-action="save" data-name="prints.png">Save</button>',
    'saves-as-table':
      '<button type="button" data-action="save" data-name="prints.csv" data-type="text/csv">Save</button>',
    'auth-by-script': '<button type="button" data-action="logout">Leave</button>',
    'button-at-once': '<button type="button" data-action="order">Order a sample</button>',
    'menu-that-asks': `<button type="button" data-action="menu">Menu</button><div data-menu hidden><button type="button" data-action="order">Order a sample</button></div>`,
    'menu-download': `<button type="button" data-action="menu">Menu</button><div data-menu hidden><a href="/api/prints" download>Save</a></div>`,
    'inline-style': '<p style="color: red">Red</p>',
    'form-to-own': '<form method="post" action="/own"><button>Keep</button></form>',
    'no-name': '<button type="button"></button>',
    pale: '<p class="pale">Nobody reads this in the dark.</p>',
    wide: '<p class="wide">Wider than a phone.</p>',
    'choice-without-stop': '<label><input type="checkbox" tabindex="-1"> Framed</label>',
    'choice-of-label': '<label><input type="checkbox" hidden> Framed</label>',
    'no-stop': '<div role="button" data-action="nothing">Click me</div>',
  };
  const isForSignedIn =
    /^(saves[a-z-]*|download-[a-z-]+|menu-download|button-at-once|file-link|file-shown|window-open|location|get-form|hidden-frame)$/.test(
      mistake,
    );
  const extra = isForSignedIn && isOut ? '' : (/** @type {any} */ (mistakes)[mistake] ?? '');
  const widgets = `<fieldset id="paper"><legend>Paper</legend><label><input type="radio" name="paper" value="a" checked> A</label>
    <label><input type="radio" name="paper" value="b"> B</label></fieldset>
    <label><input type="checkbox" class="unseen"> Glossy</label> <a href="#paper">To the paper</a>
    <div role="tablist" aria-label="Views"><button type="button" role="tab" aria-selected="true">List</button><button type="button" role="tab" aria-selected="false" tabindex="-1">Grid</button></div>
    <details><summary>More</summary><button type="button">Inside</button></details>
    <div inert><button type="button">Not now</button></div>`;
  const isPlain = !isOut || mistake === 'enabled-without-script';
  return `${panel}${form}${isPlain ? plain : ''}${widgets}${extra}<img src="/dot.png" alt="A dot">`;
}

/** @param {string} user @param {boolean} isIn @param {string} mistake */
function greeting(user, isIn, mistake) {
  if (!isIn || !['shown', 'shown-after-session'].includes(mistake)) return '';
  return `<p>${JSON.parse(user).name}</p>`;
}

/** @param {string} here @param {string} title @param {boolean} isOut @param {string} content */
function page(here, title, isOut, content, mistake = '') {
  const identity = isOut
    ? signIn(here, 'Sign in')
    : '<form action="/__auth/logout"><input type="hidden" name="return" value="/"><button>Sign out</button></form>';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
    <meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/app.css">
    <script src="/app.js" defer></script></head>
    <body data-mistake="${mistake}" data-visitor="${isOut ? 'out' : 'in'}"><header><nav aria-label="Pages"><a href="/">Home</a> <a href="/prints">Prints</a></nav>${identity}</header>
    <main><h1>${title}</h1>${content}</main></body></html>`;
}

/** @param {string} here @param {string} name */
function signIn(here, name) {
  const back = here.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<form action="/__auth/login"><input type="hidden" name="return" value="${back}"><button>${name}</button></form>`;
}

/** @param {string} here @param {number} status @returns {Reply} */
function lost(here, status, words = '', hasWayBack = true) {
  const again = hasWayBack ? `<a href="${here}">Try again</a>` : '';
  const content = `<p>The platform does not answer (${status}). ${words}</p>${again}`;
  return { status: 502, body: page(here, 'Something is wrong', false, content) };
}

async function order() {
  return callPlatform('/prints', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"text":"a page"}',
  });
}

/** @param {string} path @param {RequestInit} [options] */
async function callPlatform(path, options = {}, patience = 2_000) {
  try {
    const signal = AbortSignal.timeout(patience);
    const found = await fetch(internalUrl + path, { ...options, signal });
    return { status: found.status, text: await found.text() };
  } catch {
    return { status: 502, text: '' };
  }
}

/** @param {string} text */
function isJson(text) {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
