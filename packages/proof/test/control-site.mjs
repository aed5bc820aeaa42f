// @ts-check
/**
 * The fixture of `control.test.ts`: a plain `node:http` site with one correct route of each kind, and one route for each
 * violation that the proof must report.
 */
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';

/** @typedef {import('node:http').IncomingMessage} Incoming */
/** @typedef {{ status: number, type?: string, body?: string | Buffer, headers?: Record<string, string>, isEndless?: boolean, isCutOff?: boolean }} Reply */
/** @typedef {{ id: string, name: string, session_token: string }} User */

const platform = process.env['PLATFORM_INTERNAL_URL'] ?? '';
const siteOrigin = process.env['SITE_ORIGIN'] ?? '';

/** Shared between requests by mistake. @type {User | undefined} */
let lastVisitor;
/** @type {Map<string, string>} */
const cache = new Map();
let isLost = false;
let isNeverFound = false;
/** The first response for each visitor, failed ones included. @type {Map<string, Promise<Response>>} */
const firstResponses = new Map();

/** @type {Record<string, (request: Incoming, id: string) => Promise<Reply> | Reply>} */
const routes = {
  // Correct routes.
  '/': async () => page(`<p>${(await userOf()).user?.name ?? 'Hello'}</p>${menu()}`),
  '/prints': listPrints,
  'POST /prints': orderPrint,
  '/api/prints/:id': guarded(async (_, id) => relay(await callPlatform(`/prints/${id}`))),
  'POST /again/:id': guarded(async (_, id) => {
    const text = await (await callPlatform(`/prints/${id}`)).text();
    const response = await callPlatform('/prints', {
      method: 'POST',
      body: JSON.stringify({ text }),
    });
    return response.ok ? { status: 201 } : { status: 502 };
  }),
  // One form acts on what the other deletes.
  '/shelf': guarded(async () => page(await shelf())),
  'POST /shelf': guarded(async (request) => {
    const form = new URLSearchParams(await bodyOf(request));
    const path = `/prints/${form.get('print') ?? ''}`;
    if (form.get('intent') === 'discard')
      return relay(await callPlatform(path, { method: 'DELETE' }));
    const print = await callPlatform(path);
    if (!print.ok) return relay(print);
    const text = await print.text();
    return relay(await callPlatform('/prints', { method: 'POST', body: JSON.stringify({ text }) }));
  }),
  // Another machine calls it. Its secret is not configured.
  'POST /hook': () => ({ status: 503 }),
  // An event stream, which does not end.
  '/api/news': guarded(() => ({
    ...{ status: 200, type: 'text/event-stream', body: 'data: nothing yet\n\n' },
    isEndless: true,
  })),
  '/configured': () => (process.env['WARES'] === '7' ? page('wares') : { status: 500 }),
  // The proof has no site accounts for this site.
  '/settings': () => ({ status: 302, headers: { location: '/sign-in?return=%2Fsettings' } }),
  'POST /settings': () => ({ status: 401, type: 'application/json', body: '{}' }),

  // One violation each.
  '/any-account': async () => ((await userOf()).user ? page('yours') : { status: 401 }),
  '/wrong-account': () => ({ status: 302, headers: { location: '/__auth/login?return=%2F' } }),
  '/no-guard': async () => {
    const prints = await callPlatform('/prints');
    return prints.status === 401 ? { status: 401 } : page('prints');
  },
  '/guard-beside': async () => {
    const [prints, { user }] = await Promise.all([callPlatform('/prints'), userOf()]);
    return user ? page(String(prints.status)) : { status: 401 };
  },
  // The route uses the SDK but never returns anything.
  '/empty': guarded(async () => ({ status: (await callPlatform('/prints')).ok ? 404 : 502 })),
  // It fails for everybody, so that no address of it would help.
  '/broken': () => ({ status: 500, body: 'It broke.' }),
  '/late': guarded(() => {
    setTimeout(() => void fetch(`${platform}/prints`).catch(() => undefined), 1_200);
    return page('soon');
  }),
  'POST /body-first': async (request) => {
    await bodyOf(request);
    const { user, status } = await userOf();
    if (!user) return { status };
    await callPlatform('/prints');
    return page('read');
  },
  // Each crashes the site, so only `site-ended.test.ts` lists them.
  '/throws-later': guarded(() => {
    setTimeout(() => {
      throw new Error('Uncaught on purpose.');
    }, 10);
    return page('soon');
  }),
  '/rejects-later': guarded(() => {
    void Promise.resolve().then(() => {
      throw new Error('Uncaught on purpose.');
    });
    return page('soon');
  }),
  '/emits-error': guarded(() => {
    const jobs = new EventEmitter();
    setImmediate(() => jobs.emit('error', new Error('Uncaught on purpose.')));
    return page('soon');
  }),
  '/with-token': guarded(async () => {
    await callPlatform('/prints', { headers: { authorization: 'Bearer canary' } });
    return page('prints');
  }),
  '/answers-anyway': async () => {
    const { user } = await userOf();
    if (user) await callPlatform('/prints');
    return { status: 200, type: 'application/json', body: '{"prints":[]}' };
  },
  // Neither uses the SDK, so no call betrays them.
  '/asks-nobody': () => ({ status: 200, type: 'application/json', body: '{"opening":[9,17]}' }),
  '/takes-from-anybody': () => page('words'),
  'POST /takes-from-anybody': async () => {
    await userOf();
    return page('kept');
  },
  '/writes-on-get': guarded(async () => {
    await callPlatform('/prints', { method: 'POST', body: '{"text":"once more"}' });
    return page('ordered');
  }),
  'POST /near-origin': async () => {
    const { user, status } = await userOf();
    return user ? page('changed') : { status };
  },
  // The connection ends in the middle of the response, or there is none.
  '/cut-off': guarded(() => ({ ...page('half of the'), isCutOff: true })),
  'POST /never-answers': () => new Promise(() => undefined),
  '/breaks': async () => {
    const { user } = await userOf();
    return user ? page('fine') : { status: 500, body: 'TypeError' };
  },
  '/whole-profile': guarded((_, __, user) => page(JSON.stringify(user).replaceAll('"', ''))),
  '/upstream-words': guarded(async () => {
    const prints = await callPlatform('/prints');
    return page(prints.ok ? 'prints' : await prints.text());
  }),
  '/address': guarded(() => page(`served from ${platform}`)),
  '/logs': guarded((_, __, user) => {
    process.stdout.write(`visitor ${JSON.stringify(user)}\n`);
    return page('logged');
  }),
  '/last-visitor': async () => {
    lastVisitor = (await userOf()).user ?? lastVisitor;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return page(`<p>${lastVisitor?.name ?? ''}</p>`);
  },
  '/last-visitor-in-capitals': async () => {
    lastVisitor = (await userOf()).user ?? lastVisitor;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return page(`<p>${lastVisitor?.name.toUpperCase() ?? ''}</p>`);
  },
  '/stack-trace': () => page(`<pre>${new Error('caught').stack}</pre>`),
  '/cached-file/:id': guarded(async (_, id) => {
    const kept = cache.get(id) ?? (await (await callPlatform(`/prints/${id}`)).text());
    if (!kept.includes('no_such_print')) cache.set(id, kept);
    return {
      status: 200,
      type: 'application/octet-stream',
      body: Buffer.from(kept).toString('base64'),
    };
  }),
  '/kept': () => ({ ...page('words'), headers: { 'cache-control': 'private, max-age=60' } }),
  '/public': async () => ({
    ...page(`<p>Words for ${(await userOf()).user?.id ? 'members' : 'everybody'}</p>`),
    headers: { 'cache-control': 'public, max-age=60' },
  }),
  '/public-by-language': (request) => ({
    ...page(`<p>${request.headers['accept-language'] ?? 'en'}</p>`),
    headers: { 'cache-control': 'public, max-age=60' },
  }),
  '/public-with-nonce': () => ({
    ...page(`<script nonce="${Math.random()}">document.title = 'Words';</script>`),
    headers: { 'cache-control': 'public, max-age=60' },
  }),
  '/public-unkept': () => ({
    ...page('<p>Words for everybody</p>'),
    headers: { 'cache-control': 'private, no-store' },
  }),
  '/public-cookie': () => ({
    ...page('<p>Words for everybody</p>'),
    headers: {
      'cache-control': 'public, max-age=60',
      'set-cookie': 'seen=1; Secure; SameSite=None; Partitioned',
    },
  }),
  '/fails': guarded(async () => {
    const prints = await callPlatform('/prints');
    return prints.ok ? page('prints') : { status: 500, type: 'text/html', body: '<p>Error</p>' };
  }),
  '/blank': guarded(async () => {
    const prints = await callPlatform('/prints');
    return prints.ok ? page('prints') : { status: 200, type: 'text/html', body: '<main></main>' };
  }),
  '/waits': guarded(async () => page(String((await fetch(`${platform}/prints`)).status))),
  '/never-again': guarded(async () => {
    const prints = await callPlatform('/prints');
    isLost ||= !prints.ok;
    return isLost ? { status: 503, type: 'text/html', body: '<p>Later</p>' } : page('prints');
  }),
  '/kept-promise': guarded(async (_, __, { id }) => {
    const prints = firstResponses.get(id) ?? callPlatform('/prints');
    firstResponses.set(id, prints);
    return (await prints).ok ? page('prints') : { status: 502, type: 'text/html', body: 'Later' };
  }),
  '/never-found': guarded(() => page(form('/never-found'))),
  'POST /never-found': guarded(async () => {
    const response = await callPlatform('/prints', { method: 'POST', body: '{"text":"more"}' });
    isNeverFound ||= !response.ok;
    return isNeverFound ? { status: 404 } : page('Ordered.');
  }),
  'POST /broken-hook': () => ({ status: 500 }),
  'POST /refuses-always': () => ({ status: 503 }),
  'POST /anybody': async () => {
    const { user, status } = await userOf();
    return user ? page('changed') : { status };
  },
  '/cookie': () => ({ ...page('set'), headers: { 'set-cookie': '__Host-platform_session=own' } }),
};

const openToOthers = new Set(['/anybody', '/hook', '/broken-hook']);

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  if (pathname === '/readyz') return response.end('{}');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const [, prefix = '', id = ''] = /^(.*)\/((?:prt_)\d+)$/.exec(pathname) ?? [];
  const name = (isRead ? '' : `${request.method ?? ''} `) + (id ? `${prefix}/:id` : pathname);
  const route = routes[name];
  const { origin = '' } = request.headers;
  const isOwn = pathname === '/near-origin' ? origin.startsWith(siteOrigin) : origin === siteOrigin;
  if (!isRead && !openToOthers.has(pathname) && !isOwn) {
    return response.writeHead(403, { 'cache-control': 'no-store' }).end();
  }
  const isKnown = routes[pathname] !== undefined;
  void Promise.resolve(route?.(request, id) ?? { status: isKnown ? 405 : 404 })
    .catch(() => ({ status: 502, type: 'text/html', body: '<p>The platform does not answer.</p>' }))
    .then((/** @type {Reply} */ reply) => {
      const { status, type = 'text/plain', body = '', headers = {} } = reply;
      response.writeHead(status, { 'cache-control': 'no-store', 'content-type': type, ...headers });
      response.write(body);
      if (reply.isCutOff) response.write(body, () => response.destroy());
      else if (!reply.isEndless) response.end();
    });
}).listen(Number(process.env['PORT']), '127.0.0.1');

/** @param {(request: Incoming, id: string, user: User) => Promise<Reply> | Reply} operate */
function guarded(operate) {
  return async (/** @type {Incoming} */ request, /** @type {string} */ id) => {
    const { user, status, text } = await userOf();
    if (!user) return { status, type: 'application/json', body: text };
    return operate(request, id, user);
  };
}

async function userOf() {
  const response = await callPlatform('/user');
  const text = await response.text();
  try {
    const user = response.ok ? /** @type {User} */ (JSON.parse(text)) : undefined;
    return { user, status: response.ok ? 200 : response.status, text };
  } catch {
    return { user: undefined, status: 502, text: '{}' };
  }
}

/** @param {string} path @param {RequestInit} [init] */
function callPlatform(path, init) {
  return fetch(platform + path, {
    signal: AbortSignal.timeout(1_000),
    redirect: 'manual',
    ...init,
  });
}

/** @param {Response} response */
async function relay(response) {
  return response.ok
    ? { status: 200, type: 'text/plain', body: await response.text() }
    : {
        status: response.status === 404 ? 404 : 502,
        type: 'application/json',
        body: '{"error":"lost"}',
      };
}

async function listPrints() {
  const { user } = await userOf();
  if (!user) return page('<p>Sign in to print.</p>');
  const response = await callPlatform('/prints');
  const prints = response.ok ? /** @type {{ id: string }[]} */ (await response.json()) : [];
  const links = prints.map(({ id }) => `<a href="/api/prints/${id}">${id}</a>`);
  const cached = prints.map(({ id }) => `<a href="/cached-file/${id}">${id}</a>`);
  return page(`<p>${user.name}</p>${links.join(' ')}${cached.join(' ')}${form('/prints')}`);
}

async function shelf() {
  const prints = /** @type {{ id: string }[]} */ (await (await callPlatform('/prints')).json());
  const [print] = prints;
  if (!print) return form('/prints');
  const buttons = ['reprint', 'discard'].map(
    (intent) => `<button name="intent" value="${intent}">`,
  );
  const hidden = `<input type="hidden" name="print" value="${print.id}">`;
  return `<form method="post" action="/shelf">${hidden}${buttons.join('')}</form>${form('/prints')}`;
}

/** @param {Incoming} request */
async function orderPrint(request) {
  const { user, status, text } = await userOf();
  if (!user) return { status, type: 'application/json', body: text };
  const words = new URLSearchParams(await bodyOf(request)).get('text');
  const response = await callPlatform('/prints', {
    method: 'POST',
    body: JSON.stringify({ text: words }),
  });
  return response.ok ? page('Ordered.') : { ...page('Not ordered.'), status: 502 };
}

/** @param {Incoming} request */
async function bodyOf(request) {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** @param {string} action */
function form(action) {
  return `<form method="post" action="${action}"><input name="text"><button>Send</button></form>`;
}

function menu() {
  return form('/body-first') + form('/anybody') + form('/near-origin');
}

/** @param {string} content @returns {Reply} */
function page(content) {
  return {
    status: 200,
    type: 'text/html',
    body: `<!doctype html><html lang="en"><title>Shop</title><main>${content}</main></html>`,
  };
}
