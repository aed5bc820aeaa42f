/** Signing in, signing out and switching: the platform's routes on the site's host. */
import { describe, expect, it } from 'vitest';

import { SESSION_COOKIE } from '../people/sessions.ts';
import { printShop } from '../../test/print-shop.ts';
import { openTestPlatform } from '../testing/test-platform.ts';
import { visit, type Visited } from '../../test/visit.ts';

const HOURS = 60 * 60 * 1000;

const platform = await openTestPlatform(printShop);

function signIn(persona: string, to = '/', headers: Record<string, string> = {}): Promise<Visited> {
  return visit(platform, '/__auth/login', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: platform.siteOrigin,
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    body: new URLSearchParams({ persona, return: to }).toString(),
  });
}

/** The `name=value` of the session cookie that a response sets. */
function cookieOf(visited: Visited): string {
  const set = visited.headers['set-cookie']?.find((cookie) => !cookie.includes('Max-Age=0'));
  return set?.split(';')[0] ?? expect.fail('no session was set');
}

/** Returns who is signed in at the platform with this cookie. */
async function whoIs(cookie: string): Promise<unknown> {
  const visited = await visit(platform, '/__auth/whoami', {
    cookie,
    headers: { origin: platform.platformUrl },
  });
  return (visited.json() as { persona: string | null }).persona;
}

describe('signing in', () => {
  it('shows every persona with its purpose, and escapes markup in a name', async () => {
    const { status, text, headers } = await visit(platform, '/__auth/login?return=%2Fshop');
    expect(status).toBe(200);
    for (const { id, purpose } of platform.personas) {
      expect(text).toContain(`value="${id}"`);
      expect(text).toContain(purpose);
    }
    expect(text).toContain('&#60;b&#62;Bobby&#60;/b&#62;');
    expect(text).not.toContain('<b>');
    expect(text).toContain('name="return" value="/shop"');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toContain(
      `frame-ancestors 'self' ${platform.platformUrl}`,
    );
  });

  it('begins a session and redirects to the return path', async () => {
    const visited = await signIn('ada', '/shop?page=2');
    expect(visited.status).toBe(303);
    expect(visited.headers.location).toBe('/shop?page=2');
    expect(await whoIs(cookieOf(visited))).toBe('ada');
  });

  it('sets a Partitioned, Secure and HttpOnly cookie', async () => {
    const set = (await signIn('ada')).headers['set-cookie'] ?? [];
    expect(set.at(-1)).toMatch(
      /^__Host-platform_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
    expect(set).toHaveLength(2);
    expect(set[0]).toMatch(/^__Host-platform_session=;.*Max-Age=0$/);
  });

  it('issues a new id at each sign-in, and ends the old session', async () => {
    const first = cookieOf(await signIn('ada'));
    const second = cookieOf(await signIn('ada', '/', { cookie: first }));
    expect(second).not.toBe(first);
    expect(await whoIs(first)).toBeNull();
    expect(await whoIs(second)).toBe('ada');
  });

  it.each([
    ['another site', { origin: 'http://evil.test', 'sec-fetch-site': 'cross-site' }],
    [
      'a sibling of the same site',
      { origin: 'http://other.localhost', 'sec-fetch-site': 'same-site' },
    ],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    [
      'the platform’s page',
      { origin: 'http://platform.localhost', 'sec-fetch-site': 'cross-site' },
    ],
    ['a page without an origin', { origin: '', 'sec-fetch-site': 'same-origin' }],
  ])('refuses a form sent by %s', async (_who, headers) => {
    const visited = await signIn('ada', '/', headers);
    expect(visited.status).toBe(403);
    expect(visited.headers['set-cookie']).toBeUndefined();
    expect(platform.ledger.entries({ note: 'sign_in_refused' })).toHaveLength(1);
  });

  it('shows the page again when the persona is unknown', async () => {
    expect((await signIn('nobody')).status).toBe(422);
  });

  it.each(['//evil.test', '/.//evil.test', 'javascript:alert(1)', '/__auth/logout'])(
    'redirects to / for the return path %s, with a note and without echoing it',
    async (hostile) => {
      const page = await visit(platform, `/__auth/login?return=${encodeURIComponent(hostile)}`);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain(hostile);
      const visited = await signIn('ada', hostile);
      expect(visited.status).toBe(303);
      expect(visited.headers.location).toBe('/');
      const notes = platform.ledger.entries({ note: 'return_path_refused' });
      expect(notes).toHaveLength(2);
      expect(JSON.stringify(notes)).toContain(hostile);
    },
  );
});

describe('signing out', () => {
  it('ends the session on the platform and in the browser', async () => {
    const cookie = platform.sessions.createCookie('ada');
    const visited = await visit(platform, '/__auth/logout?return=%2Fbye', { cookie });
    expect(visited.status).toBe(303);
    expect(visited.headers.location).toBe('/bye');
    const set = visited.headers['set-cookie'] ?? [];
    expect(set.every((cookie) => cookie.startsWith(`${SESSION_COOKIE}=;`))).toBe(true);
    expect(set.map((cookie) => cookie.includes('Partitioned'))).toEqual([false, true]);
    expect(await whoIs(cookie)).toBeNull();
  });

  it('redirects to / by default, and for a hostile return path', async () => {
    expect((await visit(platform, '/__auth/logout')).headers.location).toBe('/');
    expect((await visit(platform, '/__auth/logout?return=//evil.test')).headers.location).toBe('/');
  });
});

describe('sessions', () => {
  it('expire after eight hours of the session clock', async () => {
    const cookie = platform.sessions.createCookie('ada');
    platform.sessions.advance(8 * HOURS - 60_000);
    expect(await whoIs(cookie)).toBe('ada');
    platform.sessions.advance(60_001);
    expect(await whoIs(cookie)).toBeNull();
  });

  it('can be revoked for everyone or for one persona', async () => {
    const [ada, bobby] = ['ada', 'bobby'].map((id) => platform.sessions.createCookie(id));
    expect(platform.sessions.revokeAll('ada')).toBe(1);
    expect(await whoIs(ada ?? '')).toBeNull();
    expect(await whoIs(bobby ?? '')).toBe('bobby');
    platform.sessions.revokeAll();
    expect(await whoIs(bobby ?? '')).toBeNull();
  });

  it('count as none when a request has two different ones', async () => {
    const ada = platform.sessions.createCookie('ada');
    const bobby = platform.sessions.createCookie('bobby');
    expect(await whoIs(`${ada}; ${bobby}`)).toBeNull();
    expect(await whoIs(`${ada}; x=1; ${ada}`)).toBe('ada');
    expect(await whoIs(`${ada}; ${SESSION_COOKIE}=`)).toBeNull();
  });

  it.each(['', 'x', '__proto__', 'constructor'])('are not found by the id %j', async (id) => {
    expect(await whoIs(`${SESSION_COOKIE}=${id}`)).toBeNull();
  });
});

describe('switch codes', () => {
  it('sign in once', async () => {
    const path = platform.sessions.switchPath('zoe', '/shop');
    const first = await visit(platform, path);
    expect(first.headers.location).toBe('/shop');
    expect(await whoIs(cookieOf(first))).toBe('zoe');
    const second = await visit(platform, path);
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
  });
});

describe('the other routes', () => {
  it('tell only the platform’s page who is signed in', async () => {
    const cookie = platform.sessions.createCookie('ada');
    for (const origin of [platform.siteOrigin, 'http://evil.test', 'null', '']) {
      const visited = await visit(platform, '/__auth/whoami', { cookie, headers: { origin } });
      expect(visited.status).toBe(404);
      expect(visited.headers['access-control-allow-origin']).toBeUndefined();
      expect(visited.text).not.toContain('ada');
    }
  });

  it.each([
    '/__auth',
    '/__auth/',
    '/__auth/nothing',
    '/__auth/login/',
    '/x/../__auth/x',
    '/__auth/toString',
  ])('respond with 404 to %s', async (path) => {
    expect((await visit(platform, path)).status).toBe(404);
  });

  it.each([
    ['POST', '/__auth/logout', 'GET'],
    ['HEAD', '/__auth/logout', 'GET'],
    ['PUT', '/__auth/login', 'GET, HEAD, POST'],
    ['DELETE', '/__auth/switch', 'GET'],
    ['HEAD', '/__auth/switch', 'GET'],
    ['POST', '/__auth/avatars/ada.svg', 'GET, HEAD'],
  ])('respond with 405 to %s %s', async (method, path, allow) => {
    const visited = await visit(platform, path, {
      method,
      headers: { origin: platform.siteOrigin },
    });
    expect(visited.status).toBe(405);
    expect(visited.headers.allow).toBe(allow);
  });

  it.each([
    ['GET', '/__auth/login', { 'sec-fetch-mode': 'cors' }],
    ['GET', '/__auth/logout', { 'sec-fetch-mode': 'cors' }],
    ['GET', '/__auth/logout', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['GET', '/__auth/logout', { 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch' }],
    ['POST', '/__auth/login', { 'sec-fetch-mode': 'same-origin' }],
  ])('refuse a %s %s that is not a navigation: %j', async (method, path, headers) => {
    const cookie = platform.sessions.createCookie('ada');
    const visited = await visit(platform, path, { method, cookie, headers });
    expect([visited.status, visited.headers['set-cookie']]).toEqual([403, undefined]);
    expect(platform.ledger.entries({ note: 'auth_route_fetched' })).toHaveLength(1);
    expect(await whoIs(cookie)).toBe('ada');
  });

  it.each(['/__auth/login.data', '/__auth/logout.data?return=%2F', '/__auth/nothing'])(
    'respond with 404 to a client-side navigation to %s, with a note',
    async (path) => {
      const headers = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
      expect((await visit(platform, path, { headers })).status).toBe(404);
      expect(platform.ledger.entries({ note: 'auth_route_fetched' })).toHaveLength(1);
    },
  );

  it('accept a request whose fetch metadata says navigate', async () => {
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect((await visit(platform, '/__auth/login', { headers })).status).toBe(200);
    expect((await signIn('ada', '/', headers)).status).toBe(303);
    expect((await visit(platform, '/__auth/logout', { headers })).status).toBe(303);
    expect(platform.ledger.entries()).toEqual([]);
  });

  it('serve a persona’s initial as SVG, which is harmless as a document', async () => {
    const visited = await visit(platform, '/__auth/avatars/bobby.svg');
    expect(visited.text).toContain('>B</text>');
    expect(visited.headers['content-security-policy']).toContain('sandbox');
  });
});
