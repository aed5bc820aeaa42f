/**
 * A small site that keeps the contract, or violates it in the ways named in DEFECTS (separated by commas). The
 * harness's own tests use it to show that each kind of violation is caught, and that a correct site is not
 * reported.
 *
 *     module_user     keeps the user in a module variable
 *     url_dedupe      shares one upstream call among concurrent requests
 *     forgotten_guard calls the SDK without a /user call
 *     hasty_guard     calls /user and the SDK concurrently
 *     token           sends an Authorization header
 *     cookie          forwards the visitor's cookies
 *     wrong_endpoint  calls an endpoint that the platform does not have
 *     late_call       calls the SDK outside any request
 *     stolen_ticket   calls the SDK with the ticket of the previous call, as seen on the wire
 *     no_retry        does not retry a GET whose kept-alive connection was closed
 */
import { subscribe } from 'node:diagnostics_channel';
import http, { createServer, get } from 'node:http';

import { Client, fetch as npmFetch, request as npmRequest } from 'undici';

const defects = new Set((process.env['DEFECTS'] ?? '').split(','));
const internalUrl = process.env['PLATFORM_INTERNAL_URL'] ?? '';
const ticketHeader = 'x-platform-visitor';

/** The ticket that undici sent last. */
let ticketOnTheWire = '';
subscribe('undici:client:sendHeaders', (message) => {
  const { headers } = /** @type {{ headers: string }} */ (message);
  ticketOnTheWire = /^x-platform-visitor: (.*)$/im.exec(headers)?.[1]?.trim() ?? ticketOnTheWire;
});
/** What the diagnostics channel shows of a request, before any listener gets it. */
const atStart = new WeakMap();
subscribe('http.server.request.start', (message) => {
  const { request } = /** @type {{ request: import('node:http').IncomingMessage }} */ (message);
  atStart.set(request, [...request.rawHeaders, ...Object.keys(request.headers)]);
});

/** @type {{ status: number, text: string } | undefined} */
let lastUser;
/** @type {Promise<{ status: number, text: string }> | undefined} */
let sharedCall;

/** @type {Record<string, (request: import('node:http').IncomingMessage, url: URL) => Promise<Reply> | Reply>} */
const routes = {
  '/readyz': () => ({ status: 200, text: '{}' }),
  '/api/user': relayUser,
  '/api/prints': operate,
  '/seen': (request) => ({ status: 200, text: JSON.stringify(everythingVisible(request)) }),
  '/via/fetch': async (request) => replyOf(await fetch(userUrl(), optionsOf(request))),
  '/via/npm-fetch': async (request) => replyOf(await npmFetch(userUrl(), optionsOf(request))),
  '/via/npm-request': async (request) => {
    const { statusCode, body } = await npmRequest(userUrl(), optionsOf(request));
    return { status: statusCode, text: await body.text() };
  },
  '/via/http-request': (request) =>
    replyOfHttp((done) => http.request(userUrl(), optionsOf(request), done).end()),
  '/via/http-options': (request) => {
    const { hostname, port } = new URL(internalUrl);
    const { headers } = optionsOf(request);
    const options = { hostname, port: Number(port), path: '/user', method: 'get', headers };
    return replyOfHttp((done) => http.request(options, done).end());
  },
  '/via/http-get': (request) =>
    replyOfHttp((done) => get(new URL(userUrl()), optionsOf(request), done)),
  '/via/http-list': (request) => {
    const headers = ['host', new URL(internalUrl).host];
    headers.push(...Object.entries(optionsOf(request).headers ?? {}).flat());
    return replyOfHttp((done) => http.request(userUrl(), { headers }, done).end());
  },
  '/call-by-http': (_request, url) =>
    replyOfHttp((done) => get(url.searchParams.get('url') ?? '', done)),
  '/call-by-http-options': (_request, url) => {
    const { hostname, port, pathname } = new URL(url.searchParams.get('url') ?? '');
    return replyOfHttp((done) => get({ host: hostname, port, path: pathname }, done));
  },
  '/call': async (request, url) =>
    replyOf(
      await fetch(url.searchParams.get('url') ?? '', { ...optionsOf(request), redirect: 'manual' }),
    ),
  '/follow': async (request, url) =>
    replyOf(await fetch(url.searchParams.get('url') ?? '', optionsOf(request))),
  '/follow-below': async (_request, url) => {
    const { statusCode, body } = await npmRequest(url.searchParams.get('url') ?? '', {
      maxRedirections: 2,
    });
    return { status: statusCode, text: await body.text() };
  },
  '/after-a-while': async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setImmediate(resolve));
    return replyOf(await fetch(userUrl()));
  },
};

/** @typedef {{ status: number, text: string }} Reply */

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://site');
  const route = routes[url.pathname] ?? echo;
  Promise.resolve(route(request, url)).then(
    ({ status, text }) => {
      response.writeHead(status, {
        'Content-Type': 'application/json',
        'X-Mixed-Case': 'kept',
        'Set-Cookie': ['site=1; Path=/', 'other=2; Path=/'],
      });
      response.end(text);
    },
    (error) => {
      response
        .writeHead(502)
        .end(JSON.stringify({ error: String(error), cause: String(error?.cause) }));
    },
  );
});
server.on('upgrade', (request, socket) => {
  const seen = JSON.stringify(everythingVisible(request));
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Seen: ${seen}\r\n\r\n`,
  );
  socket.pipe(socket);
});
if (defects.has('late_call'))
  setInterval(() => void operateSdk().catch(() => undefined), 20).unref();
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

/** @param {import('node:http').IncomingMessage} request */
async function relayUser(request) {
  if (defects.has('url_dedupe')) {
    sharedCall ??= requestUser(request).finally(() => (sharedCall = undefined));
    return sharedCall;
  }
  const user = await requestUser(request);
  if (!defects.has('module_user')) return user;
  lastUser = user;
  await new Promise((resolve) => setImmediate(resolve));
  return lastUser;
}

/** @param {import('node:http').IncomingMessage} request */
async function operate(request) {
  if (defects.has('wrong_endpoint')) await fetch(`${internalUrl}/workspaces`);
  if (defects.has('stolen_ticket')) return operateAsAnother();
  if (defects.has('forgotten_guard')) return replyOf(await operateSdk(request));
  const guarding = requestUser(request);
  if (defects.has('hasty_guard')) {
    const [operation] = await Promise.all([operateSdk(request), guarding.catch(() => undefined)]);
    return replyOf(operation);
  }
  const guard = await guarding;
  return guard.status === 200 ? replyOf(await operateSdk(request)) : guard;
}

/** @param {import('node:http').IncomingMessage} request */
async function requestUser(request) {
  const send = () => fetch(userUrl(), { headers: defectiveHeaders(request) });
  // The only error that says nothing about the platform: a kept-alive connection that was closed meanwhile.
  const again = (/** @type {unknown} */ error) => {
    if (defects.has('no_retry')) throw error;
    return send();
  };
  return replyOf(await send().catch(again));
}

/** With a separate client: for those that the preload covers, it overrides a ticket that the site sets. */
async function operateAsAnother() {
  const client = new Client(internalUrl);
  const headers = { [ticketHeader]: ticketOnTheWire };
  const { statusCode, body } = await client.request({ method: 'GET', path: '/prints', headers });
  const reply = { status: statusCode, text: await body.text() };
  await client.close();
  return reply;
}

/** @param {import('node:http').IncomingMessage} [request] */
function operateSdk(request) {
  const headers = request ? defectiveHeaders(request) : {};
  if (request?.method !== 'POST') return fetch(`${internalUrl}/prints`, { headers });
  return fetch(`${internalUrl}/prints`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'a page' }),
  });
}

/** @param {import('node:http').IncomingMessage} request @returns {Record<string, string>} */
function defectiveHeaders(request) {
  return {
    ...(defects.has('token') ? { authorization: 'Bearer canary' } : {}),
    ...(defects.has('cookie') ? { cookie: request.headers.cookie ?? 'none=1' } : {}),
  };
}

/**
 * With `?forge=` the call tries to name a visitor by itself.
 *
 * @param {import('node:http').IncomingMessage} request
 */
function optionsOf(request) {
  const forged = new URL(request.url ?? '/', 'http://site').searchParams.get('forge');
  return forged === null ? {} : { headers: { [forged]: 'forged', 'x-own': 'kept' } };
}

/** @param {import('node:http').IncomingMessage} request */
function everythingVisible(request) {
  return {
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    headersDistinct: request.headersDistinct,
    atStart: atStart.get(request),
    environment: Object.keys(process.env).filter((name) => name.toLowerCase().includes('ticket')),
    globals: Reflect.ownKeys(globalThis)
      .map(String)
      .filter((name) => name.includes(ticketHeader)),
  };
}

/** @param {import('node:http').IncomingMessage} request @returns {Promise<Reply>} */
async function echo(request) {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { method, url } = request;
  return { status: 200, text: JSON.stringify({ method, url, body, headers: request.headers }) };
}

/** @param {{ status: number, text(): Promise<string> }} response */
async function replyOf(response) {
  return { status: response.status, text: await response.text() };
}

/**
 * @param {(done: (response: import('node:http').IncomingMessage) => void) => http.ClientRequest} begin
 * @returns {Promise<Reply>}
 */
function replyOfHttp(begin) {
  return new Promise((resolve, reject) => {
    begin(async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve({ status: response.statusCode ?? 0, text });
    }).once('error', reject);
  });
}

function userUrl() {
  return `${internalUrl}/user`;
}
