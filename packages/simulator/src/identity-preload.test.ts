/** The preload attaches each visitor's own identity to calls to the platform, invisibly to the site. */
import { createServer, Agent, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { startControlSite } from '../test/negative-control/control-site.ts';
import type { Site } from './programs/site-process.ts';
import { printShop } from '../test/print-shop.ts';
import { openTestPlatform } from './testing/test-platform.ts';
import { visit } from '../test/visit.ts';

const PEOPLE = 200;
const REQUESTS = 2_000;

/** The HTTP clients that a site may use. */
const ways = [
  '/via/fetch',
  '/via/npm-fetch',
  '/via/npm-request',
  '/via/http-request',
  '/via/http-options',
  '/via/http-get',
  '/via/http-list',
];

const platform = await openTestPlatform(printShop);
let site: Site;

beforeAll(async () => {
  site = await startControlSite(platform);
});

afterEach(() => {
  platform.setSiteUpstream(site.url);
});

afterAll(() => site.stop());

/** Sends requests of many personas at once through one site, and counts the responses about somebody else. */
async function bleedAt(
  path: string,
  requests = REQUESTS,
): Promise<{ right: number; wrong: number; other: number }> {
  const people = platform.addPersonas(PEOPLE).map(({ id, profile }) => ({
    cookie: platform.sessions.createCookie(id),
    id: profile.id,
  }));
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const counts = { right: 0, wrong: 0, other: 0 };
  await Promise.all(
    Array.from({ length: requests }, async (_, index) => {
      const person = people[index % PEOPLE];
      if (!person) return;
      const visited = await visit(platform, path, { cookie: person.cookie, agent });
      if (visited.status !== 200) counts.other += 1;
      else if ((visited.json() as { id: string }).id === person.id) counts.right += 1;
      else counts.wrong += 1;
    }),
  );
  agent.destroy();
  return counts;
}

describe('the identity preload', () => {
  it.each([...ways, '/after-a-while'])(
    'attaches the visitor’s identity to a call by %s',
    async (path) => {
      const cookie = platform.sessions.createCookie('ada');
      expect((await visit(platform, path, { cookie })).json()).toMatchObject({ id: 'usr_ada' });
      expect((await visit(platform, path)).status).toBe(401);
      expect(platform.ledger.violations()).toEqual([]);
    },
  );

  it.each(['/api/user', '/via/http-request', '/via/http-list'])(
    'serves 2,000 concurrent requests of 200 people without mixing them up: %s',
    async (path) => {
      expect(await bleedAt(path)).toEqual({ right: REQUESTS, wrong: 0, other: 0 });
      expect(platform.ledger.violations()).toEqual([]);
    },
  );

  it('gives each call a ticket of its own, so that a captured ticket is useless', async () => {
    const thief = await startControlSite(platform, ['stolen_ticket']);
    const [ada, bobby] = ['ada', 'bobby'].map((id) => platform.sessions.createCookie(id));
    await visit(platform, '/api/user', { cookie: `${ada}` });
    const stolen = await visit(platform, '/api/prints', { cookie: `${bobby}` });
    await thief.stop();
    expect(stolen.status).toBe(401);
    expect(platform.ledger.violations()).toMatchObject([
      { endpoint: 'list-prints', persona: null, violations: ['ticket_replayed'] },
    ]);
  });

  it('distinguishes the calls of one request, although the edge’s ticket is the same', async () => {
    const ticket = platform.sessions.mintTicket('ada');
    const send = () =>
      fetch(`${site.url}/via/fetch`, { headers: { 'x-platform-visitor': ticket } });
    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
    expect(platform.ledger.violations()).toEqual([]);
  });

  it.each(['module_user', 'url_dedupe'] as const)(
    'detects that a site with %s mixes up visitors',
    async (defect) => {
      const defective = await startControlSite(platform, [defect]);
      const { wrong } = await bleedAt('/api/user', 500);
      await defective.stop();
      expect(wrong).toBeGreaterThan(50);
    },
    20_000,
  );

  it('leaves no trace of the ticket in the incoming request', async () => {
    const seen = (
      await visit(platform, '/seen', { headers: { 'x-own': 'kept' } })
    ).json() as Record<
      'headers' | 'rawHeaders' | 'headersDistinct' | 'environment' | 'globals',
      unknown
    >;
    expect(JSON.stringify(seen)).not.toMatch(/x.platform.visitor/i);
    expect(seen.headers).toMatchObject({ 'x-own': 'kept', connection: 'keep-alive' });
    expect(seen.headersDistinct).toMatchObject({ 'x-own': ['kept'], connection: ['keep-alive'] });
    expect(seen.rawHeaders).toEqual(expect.arrayContaining(['x-own', 'kept', 'x-forwarded-for']));
  });

  it.each(['X-Platform-Visitor', 'x_platform_visitor', 'X-PLATFORM_Visitor'])(
    'removes a ticket that is spelt %s',
    async (name) => {
      const text = await new Promise<string>((resolve, reject) => {
        request(`${site.url}/seen`, { headers: { [name]: 'ticket', 'x-own': '1' } }, (incoming) => {
          incoming.once('data', (data: Buffer) => {
            resolve(data.toString());
          });
        })
          .once('error', reject)
          .end();
      });
      expect(text).not.toMatch(/x.platform.visitor|"ticket"/i);
      expect(text).toContain('"x-own":["1"]');
    },
  );

  it('removes the ticket from an upgrade request too', async () => {
    const { host, port } = new URL(platform.siteOrigin);
    const seen = await new Promise<unknown>((resolve, reject) => {
      request({
        host: '127.0.0.1',
        port,
        headers: { host, connection: 'Upgrade', upgrade: 'websocket' },
      })
        .once('upgrade', ({ headers }, socket) => {
          socket.destroy();
          resolve(headers['x-seen']);
        })
        .once('error', reject)
        .end();
    });
    expect(seen).toContain('x-forwarded-host');
    expect(seen).not.toMatch(/x.platform.visitor/i);
  });

  it.each(['x-platform-visitor', 'X-Platform_Visitor'])(
    'overrides a site that names a visitor itself in %s',
    async (forge) => {
      const cookie = platform.sessions.createCookie('ada');
      for (const way of ways) {
        const visited = await visit(platform, `${way}?forge=${forge}`, { cookie });
        expect(visited.json(), way).toMatchObject({ id: 'usr_ada' });
        expect((await visit(platform, `${way}?forge=${forge}`)).status, way).toBe(401);
      }
    },
  );

  it('does not let a pipelined request inherit the previous one’s identity', async () => {
    const ticket = platform.sessions.mintTicket('ada');
    const ticketed = `GET /via/fetch HTTP/1.1\r\nHost: x\r\nX-Platform-Visitor: ${ticket}\r\n\r\n`;
    const bare = 'GET /via/fetch HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const { hostname, port } = new URL(site.url);
    await new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(ticketed + bare));
      socket.resume().once('close', resolve);
    });
    const callers = platform.ledger.calls().map(({ persona }) => persona);
    expect(new Set(callers)).toEqual(new Set(['ada', null]));
    expect(callers).toHaveLength(2);
  });

  it('sends the identity to no other origin, not even after a redirect', async () => {
    const heard: IncomingMessage[] = [];
    const stranger = createServer((incoming, outgoing) => {
      heard.push(incoming);
      outgoing.end('{}');
    });
    await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done));
    const { port } = stranger.address() as AddressInfo;
    const cookie = platform.sessions.createCookie('ada');
    const internalPort = new URL(platform.internalUrl).port;

    await platform.faults.set('user', { kind: 'redirect', location: `http://127.0.0.1:${port}/` });
    for (const path of [
      `/call?url=http://127.0.0.1:${port}/user`,
      `/call?url=http://localhost:${port}/user`,
      `/call-by-http?url=http://127.0.0.1:${port}/user`,
      `/call-by-http?url=http://localhost:${port}/user`,
      `/call-by-http-options?url=http://127.0.0.1:${port}/user`,
      `/follow?url=${platform.internalUrl}/user`,
      `/follow-below?url=${platform.internalUrl}/user`,
    ]) {
      await visit(platform, path, { cookie });
    }
    expect(heard.map(({ url }) => url)).toEqual(['/user', '/user', '/user', '/user', '/user', '/']);
    for (const { rawHeaders } of heard)
      expect(rawHeaders.join()).not.toMatch(/x.platform.visitor/i);

    await platform.faults.clear();
    platform.ledger.clear();
    // The same server under another name is another origin.
    await visit(platform, `/call?url=http://localhost:${internalPort}/user`, { cookie });
    await visit(platform, `/call-by-http?url=http://localhost:${internalPort}/user`, { cookie });
    const stranger401 = { status: 401, persona: null };
    expect(platform.ledger.calls()).toMatchObject([stranger401, stranger401]);
    stranger.closeAllConnections();
    stranger.close();
  });

  it('refuses to load without the internal address', async () => {
    await expect(
      startControlSite({ ...platform, internalUrl: 'nowhere', setSiteUpstream: () => undefined }),
    ).rejects.toThrow(/PLATFORM_INTERNAL_URL must be the address/);
  });
});
