/** The edge in front of a site: what it passes through, and what it drops. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { harmlessHeaders, identityHeaders } from './identity-headers.ts';
import { callTicket } from '../people/call-ticket.mjs';
import { startPlatform, type Platform } from '../platform.ts';
import { printShop } from '../../test/print-shop.ts';
import { visit } from '../../test/visit.ts';

let platform: Platform<unknown>;
let site: Server;
let respond: Parameters<typeof createServer>[1];
const seen: IncomingMessage[] = [];

beforeAll(async () => {
  site = createServer((incoming, outgoing) => {
    seen.push(incoming);
    if (respond) respond(incoming, outgoing);
    else outgoing.end('the site');
  });
  site.on('upgrade', (incoming, socket) => {
    seen.push(incoming);
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    );
    socket.pipe(socket);
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  platform = await startPlatform(printShop, { port: 0, internalPort: 0, siteUpstream: siteUrl() });
});

afterEach(async () => {
  respond = undefined;
  seen.length = 0;
  platform.setSiteUpstream(siteUrl());
  await platform.reset();
});

afterAll(async () => {
  await platform.close();
  site.closeAllConnections();
  site.close();
});

/** Sends bytes to the edge, and gives all that it sends until it closes, or switches protocols. */
async function exchange(...requests: string[]): Promise<string> {
  const socket = connect(Number(new URL(platform.siteOrigin).port), '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    heard += chunk;
    if (heard.startsWith('HTTP/1.1 101 ')) socket.destroy();
  });
  socket.write(requests.join(''));
  await once(socket, 'close');
  return heard;
}

const siteUrl = (): string => `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
const lastSeen = (): IncomingMessage => seen.at(-1) ?? expect.fail('the site saw no request');

describe('the edge', () => {
  it.each(identityHeaders)('strips a visitor’s %s and notes it', async (name) => {
    await visit(platform, '/stripped', { headers: { [name]: 'forged' } });
    expect(JSON.stringify(lastSeen().rawHeaders)).not.toContain('forged');
    expect(platform.ledger.entries({ note: 'header_stripped' })).toMatchObject([
      { detail: name.toLowerCase(), siteRequest: { path: '/stripped' } },
    ]);
  });

  it.each([...harmlessHeaders, 'x-author'])('passes %s through, without a note', async (name) => {
    await visit(platform, '/', { headers: { [name]: 'kept' } });
    expect(lastSeen().headers[name]).toBe('kept');
    expect(platform.ledger.entries()).toEqual([]);
  });

  it('sets the forwarding headers itself', async () => {
    await visit(platform, '/', {
      headers: {
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-host': 'evil.test',
        X_Forwarded_Proto: 'https',
        forwarded: 'host=evil.test',
        'x-real-ip': '6.6.6.6',
        'x-original-url': '/admin',
      },
    });
    expect(lastSeen().headers).toMatchObject({
      'x-forwarded-host': new URL(platform.siteOrigin).host,
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '127.0.0.1',
    });
    expect(JSON.stringify(lastSeen().rawHeaders)).not.toMatch(/evil|6\.6\.6|admin|https/);
  });

  it('removes the session cookie from requests to the site, and no other cookie', async () => {
    const cookie = platform.sessions.createCookie('ada');
    await visit(platform, '/', { cookie: `a=1; ${cookie}; b=2; ${cookie}` });
    expect(lastSeen().headers.cookie).toBe('a=1; b=2');
    await visit(platform, '/', { cookie });
    expect(lastSeen().headers.cookie).toBeUndefined();
  });

  it('drops hop-by-hop headers, also those that Connection names, but never those that delimit the body', async () => {
    const body = 'x=1';
    await visit(platform, '/', {
      method: 'POST',
      body,
      headers: {
        connection: 'keep-alive, x-hop, content-length, cookie',
        'x-hop': 'gone',
        te: 'trailers',
        cookie: 'a=1',
        'content-length': String(body.length),
      },
    });
    expect(lastSeen().headers).not.toHaveProperty('x-hop');
    expect(lastSeen().headers).not.toHaveProperty('te');
    expect(lastSeen().headers).toMatchObject({ 'content-length': '3', cookie: 'a=1' });
  });

  it('passes method, query and body on unchanged', async () => {
    const received: string[] = [];
    respond = (incoming, outgoing) => {
      incoming.on('data', (chunk: Buffer) => received.push(chunk.toString()));
      incoming.on('end', () => outgoing.end());
    };
    await visit(platform, '/a//b?next=http://x/&y=%20', { method: 'PUT', body: 'the body' });
    expect(lastSeen()).toMatchObject({ method: 'PUT', url: '/a//b?next=http://x/&y=%20' });
    expect(received.join('')).toBe('the body');
  });

  it('passes the response on unchanged', async () => {
    const headers = [
      ['Content-Type', 'application/json'],
      ['X-Mixed-Case', 'Kept'],
      ['Set-Cookie', 'a=1; Path=/'],
      ['Set-Cookie', 'b=2; Path=/'],
      ['Content-Security-Policy', "default-src 'self'"],
      ['Content-Security-Policy', "frame-ancestors 'none'"],
      ['Location', `${siteUrl()}/elsewhere`],
      ['Content-Length', '4'],
      ['Date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ].flat();
    respond = (_incoming, outgoing) =>
      outgoing.writeHead(418, 'Short and stout', headers).end('{} \n');
    const visited = await visit(platform, '/');
    expect(visited.status).toBe(418);
    expect(visited.text).toBe('{} \n');
    expect(visited.rawHeaders.slice(0, headers.length)).toEqual(headers);
    expect(
      Object.keys(visited.headers).filter((name) => name.startsWith('access-control')),
    ).toEqual([]);
  });

  it('adds no response headers of its own, not even Date', async () => {
    respond = (_incoming, outgoing) => {
      outgoing.sendDate = false;
      outgoing.writeHead(200, { 'content-length': 0 }).end();
    };
    const { headers } = await visit(platform, '/');
    expect(Object.keys(headers).sort()).toEqual(['connection', 'content-length', 'keep-alive']);
  });

  it('sends the upstream as Host', async () => {
    await visit(platform, '/');
    expect(lastSeen().headers.host).toBe(new URL(siteUrl()).host);
  });

  it('breaks a response off where the site breaks it off', async () => {
    respond = (_incoming, outgoing) => {
      outgoing.writeHead(200, { 'content-length': 100 });
      outgoing.write('half', () => outgoing.destroy());
    };
    await expect(visit(platform, '/')).rejects.toThrow();
  });

  it('aborts the site’s request when the visitor disconnects', async () => {
    const left = new Promise((resolve) => {
      respond = (incoming, outgoing) => {
        outgoing.writeHead(200).flushHeaders();
        incoming.once('close', resolve);
      };
    });
    const { host, port } = new URL(platform.siteOrigin);
    const outgoing = request({ host: '127.0.0.1', port, headers: { host } }, (incoming) => {
      incoming.on('error', () => undefined);
      outgoing.destroy();
    });
    outgoing.on('error', () => undefined).end();
    await left;
  });

  it('retries when the site had just closed a kept-alive connection', async () => {
    await visit(platform, '/first');
    site.closeIdleConnections();
    const results = await Promise.all([1, 2, 3].map(() => visit(platform, '/second')));
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('shows an error page when the site is down, and notes it', async () => {
    platform.setSiteUpstream('http://127.0.0.1:1');
    const visited = await visit(platform, '/down');
    expect(visited.status).toBe(502);
    expect(visited.text).toContain('The site is not responding');
    expect(visited.text).not.toContain('127.0.0.1');
    expect(platform.ledger.entries({ note: 'site_unreachable' })).toHaveLength(1);
  });

  it.each([403, 429, 502, 503])('answers visitors with %i instead of the site', async (status) => {
    const body = '<h1>Not now</h1>';
    const fault = { kind: 'status', status, body, contentType: 'text/html' } as const;
    await platform.faults.set('site', fault);
    const visited = await visit(platform, '/shop', { method: 'POST', body: 'x=1' });
    expect([visited.status, visited.text]).toEqual([status, body]);
    expect(visited.headers['content-type']).toBe('text/html');
    expect(seen).toEqual([]);
    expect((await visit(platform, '/__auth/login')).status).toBe(200);

    await platform.faults.clear('site');
    expect((await visit(platform, '/')).text).toBe('the site');
  });

  it('resets connections instead of the site, for one persona if the fault is limited to it', async () => {
    await platform.faults.set('site', { kind: 'reset' }, { persona: 'ada' });
    const cookie = platform.sessions.createCookie('ada');
    await expect(visit(platform, '/', { cookie })).rejects.toThrow(/ECONNRESET|hang up/);
    expect((await visit(platform, '/')).status).toBe(200);
  });

  it('lets the site answer when only the internal API has a fault', async () => {
    await platform.faults.set('*', { kind: 'status' });
    expect((await visit(platform, '/')).text).toBe('the site');
  });

  it('refuses a fault that would need the site’s response', async () => {
    await expect(platform.faults.set('site', { kind: 'drip' })).rejects.toThrow(
      'The site’s faults can only be status, reset, unreachable.',
    );
    expect(platform.faults.active()).toEqual([]);
  });

  it('drops the platform’s cookie from a site that sets it, and notes it', async () => {
    const others = ['a=1; Path=/', '__Host-platform_session_theme=dark; Path=/; Secure'];
    respond = (_incoming, outgoing) => {
      const ours = ['x; Path=/; Secure', '; Max-Age=0'].map((v) => `__Host-platform_session=${v}`);
      outgoing.setHeader('set-cookie', [...others, ...ours]);
      outgoing.end();
    };
    expect((await visit(platform, '/')).headers['set-cookie']).toEqual(others);
    expect(platform.ledger.entries({ note: 'platform_cookie_set_by_site' })).toHaveLength(1);
  });

  it.each([
    [{ 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }, 1],
    [{ 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }, 1],
    [{ 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }, 0],
    [{ 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }, 0],
    [{ 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'same-origin' }, 0],
    [{}, 0],
  ])('notes a native navigation to a file of /api/: %j', async (headers, notes) => {
    await visit(platform, '/api/prints/1?part=2', { headers: headers });
    expect(platform.ledger.entries({ note: 'api_navigated' })).toHaveLength(notes);
    await visit(platform, '/apiary', { headers: headers });
    expect(platform.ledger.entries({ note: 'api_navigated' })).toHaveLength(notes);
  });

  it.each(['evil.test', 'localhost', '127.0.0.1', 'site.localhost', 'site.localhost:1'])(
    'responds with 421 to the host name %s',
    async (host) => {
      expect((await visit(platform, '/', { headers: { host } })).status).toBe(421);
      expect(seen).toEqual([]);
    },
  );

  it('refuses a request target that is not a path', async () => {
    expect((await visit(platform, 'http://evil.test/__auth/logout')).status).toBe(400);
    expect((await visit(platform, '*', { method: 'OPTIONS' })).status).toBe(400);
    expect(seen).toEqual([]);
  });

  it('relays WebSockets in both directions, without the session cookie', async () => {
    const cookie = platform.sessions.createCookie('ada');
    const echoed = await new Promise<string>((resolve, reject) => {
      const { host, port } = new URL(platform.siteOrigin);
      const outgoing = request({
        host: '127.0.0.1',
        port,
        path: '/hmr',
        headers: {
          host,
          cookie,
          connection: 'Upgrade',
          upgrade: 'websocket',
          'x-user-id': 'forged',
        },
      });
      outgoing.once('upgrade', (_response, socket) => {
        socket.once('data', (data: Buffer) => {
          resolve(data.toString());
          socket.destroy();
        });
        socket.write('there and back');
      });
      outgoing.once('error', reject);
      outgoing.end();
    });
    expect(echoed).toBe('there and back');
    expect(lastSeen().headers).not.toHaveProperty('cookie');
    expect(lastSeen().headers).not.toHaveProperty('x-user-id');
  });

  it('refuses WebSockets from another origin, with a note, and to the platform’s own pages', async () => {
    const { host, port } = new URL(platform.siteOrigin);
    const upgrade = (origin: string, path = '/hmr') =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => {
          const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${origin}`];
          lines.push('Connection: Upgrade', 'Upgrade: websocket', '', '');
          socket.write(lines.join('\r\n'));
        });
        socket.once('data', (data) => {
          resolve(data.toString());
          socket.destroy();
        });
      });
    for (const origin of ['http://evil.test', 'null', platform.platformUrl]) {
      expect(await upgrade(origin)).toMatch(/^HTTP\/1\.1 403/);
    }
    expect(seen).toEqual([]);
    expect(platform.ledger.entries({ note: 'upgrade_refused' })).toHaveLength(3);
    expect(await upgrade(platform.siteOrigin, '/__auth/login')).toMatch(/^HTTP\/1\.1 502/);
    expect(seen).toEqual([]);
    expect(await upgrade(platform.siteOrigin)).toMatch(/^HTTP\/1\.1 101/);
  });

  it.each(['site', 'platform'] as const)(
    'ignores an offer of HTTP/2 to the %s, and answers the request in HTTP/1.1',
    async (to) => {
      const offer = {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AA',
      };
      respond = (incoming, outgoing) => void incoming.pipe(outgoing);
      const cookie = platform.sessions.createCookie('ada');
      const { status } = await visit(platform, '/', { to, headers: offer });
      expect(status).toBe(200);
      if (to === 'platform') return;
      const posted = await visit(platform, '/form', {
        method: 'POST',
        cookie,
        headers: offer,
        body: 'x'.repeat(200_000),
      });
      expect([posted.status, posted.body.length]).toEqual([200, 200_000]);
      expect(lastSeen().headers).not.toHaveProperty('upgrade');
      expect(lastSeen().headers).not.toHaveProperty('http2-settings');
      expect(platform.ledger.entries()).toEqual([]);
    },
  );

  it('answers what is pipelined around an ignored offer, in order', async () => {
    const { host } = new URL(platform.siteOrigin);
    respond = ({ url = '' }, outgoing) => {
      // A response that is larger than the buffers, so that the offer is read before it is sent.
      outgoing.end(`the page ${url} ${'x'.repeat(url === '/large' ? 5_000_000 : 0)}`);
    };
    const get = (path: string, headers: string) =>
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n';
    const heard = await exchange(
      get('/large', ''),
      get('/offer', offer),
      get('/next', offer),
      get('/last', 'Connection: close\r\n'),
    );
    expect(heard.match(/the page \S+/g)).toEqual(
      ['/large', '/offer', '/next', '/last'].map((path) => `the page ${path}`),
    );
  });

  it.each(['websocket, h2c', 'h2c\r\nUpgrade: websocket', 'WebSocket\r\nUpgrade: h2c'])(
    'relays a WebSocket whose client offers %j',
    async (upgrade) => {
      const { host } = new URL(platform.siteOrigin);
      const head = `GET /hmr HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`;
      expect(await exchange(head)).toMatch(/^HTTP\/1\.1 101 /);
    },
  );

  it('closes though a client has an offer that waits', async () => {
    const own = await startPlatform(printShop, {
      port: 0,
      internalPort: 0,
      siteUpstream: siteUrl(),
    });
    const { host, port } = new URL(own.siteOrigin);
    const begun = new Promise<void>((resolve) => {
      respond = () => {
        resolve();
      };
    });
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    const ended = once(socket, 'close');
    socket.write(
      ['', 'Connection: Upgrade\r\nUpgrade: h2c\r\n']
        .map((offer) => `GET / HTTP/1.1\r\nHost: ${host}\r\n${offer}\r\n`)
        .join(''),
    );
    await begun;
    await own.close();
    await ended;
  });

  it('expires the ticket of a WebSocket after the upgrade', async () => {
    const { host, port } = new URL(platform.siteOrigin);
    const headers = { host, connection: 'Upgrade', upgrade: 'websocket' };
    const cookie = platform.sessions.createCookie('ada');
    const socket = await new Promise<{ destroy: () => void }>((resolve, reject) => {
      request({ host: '127.0.0.1', port, headers: { ...headers, cookie } })
        .once('upgrade', (_response, opened) => {
          resolve(opened);
        })
        .once('error', reject)
        .end();
    });
    const siteTicket = String(lastSeen().headers['x-platform-visitor']);
    const send = (number: number) => {
      const ticket = callTicket(siteTicket, number, 'GET', '/user');
      return fetch(`${platform.internalUrl}/user`, { headers: { 'x-platform-visitor': ticket } });
    };
    expect((await send(1)).status).toBe(200);
    const realNow = Date.now;
    Date.now = () => realNow() + 61_000;
    try {
      expect((await send(2)).status).toBe(401);
      expect(platform.ledger.violations()).toMatchObject([{ violations: ['late_call'] }]);
    } finally {
      Date.now = realNow;
    }
    socket.destroy();
  });

  it('ends a WebSocket request with 502 when the site is down', async () => {
    platform.setSiteUpstream('http://127.0.0.1:1');
    const { host, port } = new URL(platform.siteOrigin);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `GET /hmr HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        );
      });
      socket.once('data', (data) => {
        resolve(data.toString());
        socket.destroy();
      });
    });
    expect(text).toMatch(/^HTTP\/1\.1 502/);
  });
});
