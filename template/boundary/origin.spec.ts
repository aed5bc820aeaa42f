/** Request origin and identity: cross-site posts, forged headers, hostile return paths. */
import { expect, test } from '../../e2e/fixtures';
import { identityHeaders } from '@gatehouse/simulator/platform';
import { formRequest, httpVisitor } from '@gatehouse/simulator/http';
import { orderRequest, orderForm, submit } from './order';

const foxForm = orderForm({ prompt: 'a fox' });
const foxOrder = () => orderRequest({ prompts: ['a fox'] });
const targets = [submit(), '/studio', '/studio.data', '/studio?index', '/api/user'];

/** The headers that a browser sends with another site's post, and headers that an attacker may forge. */
const foreign: [string, Record<string, string>][] = [
  ['another site', { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['a sandboxed frame of an older browser', { origin: 'null' }],
  ['a sibling host', { origin: 'http://other.localhost', 'sec-fetch-site': 'same-site' }],
  ['an older browser on another site', { origin: 'https://evil.test' }],
  ['a client without an origin', {}],
  ['the address bar', { 'sec-fetch-site': 'none' }],
  ['a client with a forged referrer', { referer: 'http://site.localhost/studio' }],
  ['two origins', { origin: 'http://site.localhost, https://evil.test' }],
];

for (const [name, headers] of foreign) {
  test(`refuses a post from ${name} [W09 W19]`, async ({ platform }) => {
    const ada = httpVisitor(platform, 'ada');
    for (const path of targets) {
      const request = path.startsWith('/api') ? foxOrder() : foxForm;
      const response = await ada.send(path, {
        ...request,
        method: 'POST',
        headers: { ...request.headers, ...headers },
      });
      expect([response.status, response.json()], path).toEqual([
        403,
        { error: 'cross_site_request' },
      ]);
    }
    expect(platform.ledger.calls()).toEqual([]);
  });
}

test('accepts the same post from its own page, so the refusals above are due to the origin [W13]', async ({
  platform,
}) => {
  const ada = httpVisitor(platform, 'ada');
  expect((await ada.post(submit(), foxOrder())).status).toBe(201);
  expect((await ada.post('/studio', foxForm)).status).toBe(303);
  const older = { ...foxOrder(), method: 'POST' };
  older.headers = { ...older.headers, origin: platform.siteOrigin };
  expect((await ada.send(submit(), older)).status).toBe(201);
  expect(platform.ledger.calls({ endpoint: 'submit' })).toHaveLength(3);
});

test('takes no visitor’s identity from a header, through the edge or bypassing it [W01 W19]', async ({
  platform,
  stack,
}) => {
  const bobby = httpVisitor(platform, 'bobby');
  const nobody = httpVisitor(platform, null);
  const past = httpVisitor({ ...platform, siteOrigin: stack.site.url }, null);
  const ticket = { 'x-platform-visitor': platform.sessions.mintTicket('bobby') };
  const stolen = platform.sessions.createCookie('ada').split('=')[1] ?? '';
  for (const name of identityHeaders) {
    for (const value of ['usr_ada', `Bearer ${stolen}`]) {
      const forged = { [name]: value };
      expect((await bobby.get('/api/user', forged)).json(), name).toMatchObject({
        id: 'usr_bobby',
      });
      expect((await nobody.get('/api/user', forged)).status, name).toBe(401);
      expect((await past.get('/api/user', forged)).status, `${name} at the site`).toBe(401);
      if (name === 'x-platform-visitor') continue;
      const claimed = await past.get('/api/user', { ...forged, ...ticket });
      // Two tickets count as none.
      if (/^x.platform.visitor$/i.test(name)) expect(claimed.status, name).toBe(401);
      else expect(claimed.json(), `${name} at the site`).toMatchObject({ id: 'usr_bobby' });
    }
  }
});

test('treats two conflicting session cookies as signed out', async ({ platform }) => {
  const nobody = httpVisitor(platform, null);
  const [ada, bobby] = ['ada', 'bobby'].map((id) => platform.sessions.createCookie(id));
  expect((await nobody.get('/api/user', { cookie: `${ada}` })).status).toBe(200);
  expect((await nobody.get('/api/user', { cookie: `${ada}; ${bobby}` })).status).toBe(401);
});

test('builds no URL from forged headers [W05 W33]', async ({ platform, stack }) => {
  const nobody = httpVisitor(platform, null);
  const inventions: Record<string, string>[] = [
    { 'x-forwarded-host': 'evil.test' },
    { 'x-forwarded-proto': 'javascript' },
    { forwarded: 'host=evil.test;proto=https' },
    { 'x-original-url': '//evil.test/' },
    { 'x-rewrite-url': '//evil.test/' },
    { 'x-forwarded-prefix': '//evil.test' },
    { referer: 'https://evil.test/' },
  ];
  // Also directly to the site, as if the edge let the headers pass.
  const straight = httpVisitor({ ...platform, siteOrigin: stack.site.url }, null);
  for (const headers of inventions) {
    for (const visitor of [nobody, straight]) {
      const account = await visitor.get('/account', headers);
      expect(account.headers.location).toBe('/__auth/login?return=%2Faccount');
      const home = await visitor.get('/', {
        ...headers,
        ...(visitor === straight && { host: 'evil.test' }),
      });
      expect(home.text + JSON.stringify(home.headers)).not.toContain('evil.test');
    }
  }
});

const hostilePaths = [
  '//evil.test',
  '//evil.test/account',
  '///evil.test/account',
  '/\\evil.test/account',
  '/.//evil.test/account',
  '/..//evil.test',
  '/%2f%2fevil.test/account',
  '/%5cevil.test/account',
  '/%09//evil.test/account',
  '//evil.test@site.localhost/account',
  '//site.localhost:80@evil.test/account',
  '/account/..//evil.test',
  '//evil.test/account.data',
];

for (const path of hostilePaths) {
  test(`does not redirect or link to another host from ${path} [W05]`, async ({ platform }) => {
    let response = await httpVisitor(platform, null).get(path);
    for (let hops = 0; hops < 3 && response.headers.location; hops += 1) {
      // Resolved as a browser would, which reveals a hidden host.
      const at = new URL(response.headers.location, `${platform.siteOrigin}/`);
      expect(at.origin).toBe(platform.siteOrigin);
      const back = at.searchParams.get('return');
      if (back) expect(new URL(back, platform.siteOrigin).origin).toBe(platform.siteOrigin);
      response = await httpVisitor(platform, null).get(at.pathname + at.search);
    }
    const links = [...response.text.matchAll(/(?:href|action|value)="([^"]*)"/g)];
    for (const [, link = ''] of links) {
      const to = new URL(link.replaceAll('&amp;', '&'), platform.siteOrigin);
      expect(to.origin, link).toBe(platform.siteOrigin);
    }
  });
}

const hostileReturns = [
  'https://evil.test/',
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/.//evil.test',
  '/%2f%2fevil.test',
  '/%5cevil.test',
  'javascript:alert(1)',
  'data:text/html,hello',
  'http:evil.test',
  '/\t/evil.test',
  ' //evil.test',
  '/\r\nSet-Cookie: a=b',
  '@evil.test',
  '/__auth/logout',
  '/%5f%5fauth/logout',
];

for (const back of hostileReturns) {
  test(`signs in and out to the home page instead of ${JSON.stringify(back)} [W05 W06]`, async ({
    platform,
  }) => {
    const nobody = httpVisitor(platform, null);
    const signedIn = await nobody.post(
      '/__auth/login',
      formRequest({ persona: 'ada', return: back }),
    );
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, '/']);
    const signedOut = await nobody.get(`/__auth/logout?return=${encodeURIComponent(back)}`);
    expect([signedOut.status, signedOut.headers.location]).toEqual([303, '/']);
    const page = await nobody.get(`/__auth/login?return=${encodeURIComponent(back)}`);
    expect(page.text).not.toContain('evil.test');
  });
}

for (const back of [
  '/studio?next=//fine.test',
  '/studio?u=https://fine.test/?a=b',
  '/a?b=%2F%2Fc',
]) {
  test(`signs in and returns to ${back} [W05]`, async ({ platform }) => {
    const nobody = httpVisitor(platform, null);
    const signedIn = await nobody.post(
      '/__auth/login',
      formRequest({ persona: 'ada', return: back }),
    );
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, back]);
  });
}

const dataSpellings = [
  '/api/user.data',
  '/api/user.DATA',
  '/api/user%2edata',
  '/api/user%2Edata',
  '/api%2fuser.data',
  '/API/user.data',
  '/api/user.data/',
  '/api/user.data?_routes=routes/api.user',
  '/api/user/.data',
  '/api/user?_data=routes%2Fapi.user',
  '/api/user?_data',
  '/api/generations.data',
  '/api/generations?_data=routes/api.generations',
  '/studio?_data=routes/studio',
  '/studio?_data=root',
  '/?_data=root',
  '/account?_data=routes/account&_data=root',
  '/account?%5Fdata=routes/account',
];

for (const path of dataSpellings) {
  test(`discloses no user state at ${path} [W03]`, async ({ platform }) => {
    const response = await httpVisitor(platform, 'ada').get(path);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.text).not.toMatch(/usr_ada|Ada Quist|ada@example/);
    expect(response.headers['cache-control']).toContain('no-store');
  });
}

const statefulPaths = [
  '/',
  '/studio',
  '/account',
  '/no-such-page',
  '/_root.data',
  '/studio.data',
  '/studio.data?_routes=studio/routes/studio',
  '/studio.data?_routes=root',
  '/account.data',
  '/API/user',
  '/api/user/',
  '/api/user?cache=1',
  '/api/generations',
  '/__manifest?p=/studio',
];

for (const path of statefulPaths) {
  test(`keeps ${path} out of every cache [W03]`, async ({ platform }) => {
    const response = await httpVisitor(platform, 'ada').get(path);
    expect(response.headers['cache-control']).toContain('no-store');
    expect(response.headers).not.toHaveProperty('set-cookie');
  });
}
