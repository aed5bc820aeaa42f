/** The internal API, called through a site that relays every call. */
import { describe, expect, it } from 'vitest';

import { printShop } from '../../test/print-shop.ts';
import { openTestSite } from '../testing/test-platform.ts';

const { platform, site } = await openTestSite(printShop);

const as = (persona: string) => site.as(platform.sessions.createCookie(persona));

describe('/user', () => {
  it('responds with the visitor’s profile', async () => {
    const response = await as('ada').call('GET', '/user');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.json()).toMatchObject({ id: 'usr_ada', name: 'Ada Quist', credits: 120 });
  });

  it('returns a minimal profile for some personas', async () => {
    expect((await as('minimal').call('GET', '/user')).json()).toEqual({ id: 'usr_minimal' });
  });

  it('responds with 401 as JSON to a visitor who is not signed in', async () => {
    const response = await site.as('').call('GET', '/user');
    expect(response.status).toBe(401);
    expect(response.json()).toEqual({
      error: 'unauthenticated',
      message: expect.any(String) as string,
    });
    expect(platform.ledger.violations()).toEqual([]);
  });

  it('responds with 401 once a session ends in the middle of a request', async () => {
    const visitor = as('ada');
    expect((await visitor.call('GET', '/user')).status).toBe(200);
    platform.sessions.revokeAll('ada');
    expect((await visitor.call('GET', '/user')).status).toBe(401);
  });
});

it('sends headers that a site must not forward', async () => {
  const { headers } = await as('ada').call('GET', '/user');
  expect(headers).toMatchObject({
    'cache-control': 'private, max-age=60',
    'set-cookie': ['platform_internal=canary; Path=/'],
    'x-served-by': new URL(platform.internalUrl).host,
  });
});

describe('calls that a correct site cannot make', () => {
  it.each([
    ['credentials_sent', { authorization: 'Bearer x' }],
    ['credentials_sent', { 'proxy-authorization': 'Basic x' }],
    ['credentials_sent', { 'x-access-token': 'x' }],
    ['credentials_sent', { X_User_Id: 'usr_ada' }],
    ['credentials_sent', { 'x-api-key': 'x' }],
    ['credentials_sent', { 'Api-Key': 'x' }],
    ['body_sent', { 'transfer-encoding': 'chunked' }],
    ['cookie_sent', { cookie: 'a=1' }],
    ['browser_call', { origin: 'http://site.localhost:4000' }],
    ['browser_call', { 'sec-fetch-site': 'cross-site' }],
    ['browser_call', { 'sec-fetch-dest': 'empty' }],
    ['browser_call', { 'user-agent': 'Mozilla/5.0 (X11; Linux)' }],
    ['wrong_host', { host: 'evil.test' }],
  ])('are refused as %s when they carry %j', async (violation, headers) => {
    const response = await as('ada').call('GET', '/user', undefined, headers);
    expect(response.status).toBe(403);
    expect(response.text).not.toContain('usr_ada');
    expect(platform.ledger.violations()).toMatchObject([
      { violations: [violation], persona: 'ada' },
    ]);
  });

  it.each(['access_token', 'api_key', 'apiKey', 'token', 'id_token', 'jwt'])(
    'are refused when they carry %s in their query',
    async (name) => {
      expect((await as('ada').call('GET', `/user?${name}=x`)).status).toBe(403);
      expect(platform.ledger.violations()).toMatchObject([{ violations: ['credentials_sent'] }]);
    },
  );

  it('pass with other query parameters', async () => {
    const path = '/prints?limit=2&token_count=3&next_token_page=4';
    expect((await as('ada').call('GET', path)).status).toBe(200);
    expect(platform.ledger.violations()).toEqual([]);
  });

  it.each([{}, { 'x-platform-visitor': 'forged' }])(
    'are recorded in the ledger when they request /user without a visitor: %j',
    async (headers) => {
      await site.callDirectly('GET', '/user', headers);
      expect(platform.ledger.entries({ note: 'user_without_visitor' })).toMatchObject([
        { detail: expect.stringContaining('GET /user') as string },
      ]);
      platform.ledger.clear();
      await site.as('').call('GET', '/user');
      expect(platform.ledger.entries({ note: 'user_without_visitor' })).toEqual([]);
    },
  );

  it('are refused when a GET has a body', async () => {
    const headers = { 'content-length': '2' };
    expect((await as('ada').call('GET', '/user', {}, headers)).status).toBe(403);
    expect(platform.ledger.violations()).toMatchObject([{ violations: ['body_sent'] }]);
  });

  it('are answered 404 and flagged when there is no such endpoint', async () => {
    for (const [method, path] of [
      ['GET', '/workspaces'],
      ['DELETE', '/prints'],
      ['POST', '/user'],
      ['GET', '//evil/user'],
    ] as const) {
      platform.ledger.clear();
      expect((await as('ada').call(method, path)).status).toBe(404);
      expect(platform.ledger.violations()).toMatchObject([
        { endpoint: 'unknown', violations: ['unknown_endpoint'] },
      ]);
    }
  });

  it('are flagged for a missing guard even at an unknown endpoint', async () => {
    await site.unguarded(platform.sessions.createCookie('ada')).call('GET', '/nowhere');
    await site.callDirectly('GET', '/nowhere');
    expect(platform.ledger.violations().map(({ violations }) => violations)).toEqual([
      ['unknown_endpoint', 'unguarded_call'],
      ['unknown_endpoint', 'no_identity'],
    ]);
  });

  it.each([[undefined], ['forged']])('are 401 with the ticket %s', async (ticket) => {
    const headers = ticket === undefined ? {} : { 'x-platform-visitor': ticket };
    const user = await site.callDirectly('GET', '/user', headers);
    expect(user.status).toBe(401);
    expect(platform.ledger.violations()).toEqual([]);
    const list = await site.callDirectly('GET', '/prints', headers);
    expect(list.status).toBe(401);
    expect(platform.ledger.violations()).toMatchObject([{ violations: ['no_identity'] }]);
  });

  it('do not include a call whose request began before a reset', async () => {
    const { ticketFor, end } = await site.hold(platform.sessions.createCookie('ada'));
    await end();
    await platform.reset();
    await platform.faults.set('list-prints', { kind: 'status', status: 503 }, { times: 1 });
    const late = await site.callDirectly('GET', '/prints', {
      'x-platform-visitor': ticketFor('GET', '/prints'),
    });
    expect(late.status).toBe(401);
    expect(platform.ledger.entries()).toEqual([]);
    expect(platform.faults.active(), 'the fault waits for another').toHaveLength(1);
  });

  it.each(['0.made-up', '0.made-up.made-up'])(
    'are recorded when a forged ticket %s claims to be from before a reset',
    async (ticket) => {
      await platform.reset();
      const headers = { 'x-platform-visitor': ticket, authorization: 'Bearer x' };
      expect((await site.callDirectly('GET', '/prints', headers)).status).toBe(403);
      expect(platform.ledger.violations()).toMatchObject([
        { violations: ['credentials_sent', 'no_identity'] },
      ]);
    },
  );

  it('are refused with the ticket of another call', async () => {
    const { siteTicket, ticketFor, end } = await site.hold(platform.sessions.createCookie('ada'));
    const send = async (method: string, path: string, ticket: string) =>
      (await site.callDirectly(method, path, { 'x-platform-visitor': ticket })).status;
    const ticket = ticketFor('GET', '/user');
    expect(await send('GET', '/user', ticket)).toBe(200);
    expect(platform.ledger.violations()).toEqual([]);
    expect(await send('GET', '/user', ticket), 'once more').toBe(401);
    expect(await send('GET', '/prints', ticketFor('POST', '/prints')), 'method').toBe(401);
    expect(await send('GET', '/prints', ticketFor('GET', '/prints?page=2')), 'path').toBe(401);
    expect(
      await send('GET', '/prints', ticket.replace(/\.\d+\.(?=[^.]*$)/, '.99.')),
      'number',
    ).toBe(401);
    const broken = platform.ledger.violations();
    expect(broken.map(({ violations }) => violations)).toEqual(
      Array.from({ length: 4 }, () => ['ticket_replayed']),
    );
    expect(broken[0]).toMatchObject({ persona: null, siteRequest: { path: '/held' } });

    platform.ledger.clear();
    expect(await send('GET', '/prints', siteTicket), 'the edge’s own').toBe(401);
    expect(platform.ledger.violations()).toMatchObject([{ violations: ['no_identity'] }]);
    expect(await send('GET', '/prints', ticketFor('GET', '/prints')), 'the next').toBe(200);
    await end();
  });

  it('name the persona who was signed in when the request arrived, even after the session has ended', async () => {
    const { ticketFor, end } = await site.hold(platform.sessions.createCookie('ada'));
    const send = (path: string) =>
      site.callDirectly('GET', path, { 'x-platform-visitor': ticketFor('GET', path) });
    await send('/user');
    platform.sessions.revokeAll('ada');
    expect((await send('/prints')).status).toBe(401);
    expect(platform.ledger.calls({ endpoint: 'list-prints' })).toMatchObject([
      { persona: null, violations: [], siteRequest: { persona: 'ada' } },
    ]);
    await end();
  });

  it('do not pass the guard with the ticket of another call', async () => {
    const { ticketFor, end } = await site.hold(platform.sessions.createCookie('ada'));
    const send = (path: string, ticket: string) =>
      site.callDirectly('GET', path, { 'x-platform-visitor': ticket });
    await platform.faults.set('user', { kind: 'status', status: 200 });
    await send('/user', ticketFor('GET', '/'));
    await platform.faults.clear();
    await send('/prints', ticketFor('GET', '/prints'));
    expect(platform.ledger.violations().map(({ violations }) => violations)).toEqual([
      ['ticket_replayed'],
      ['unguarded_call'],
    ]);
    await end();
  });

  it.each(['/user', '/prints'])(
    'are late with the ticket of a finished request: %s',
    async (path) => {
      const { ticketFor, end } = await site.hold(platform.sessions.createCookie('ada'));
      await end();
      const send = () =>
        site.callDirectly('GET', path, { 'x-platform-visitor': ticketFor('GET', path) });
      const realNow = Date.now;
      Date.now = () => realNow() + 3_000;
      try {
        expect((await send()).status).toBe(401);
      } finally {
        Date.now = realNow;
      }
      expect(platform.ledger.violations()).toMatchObject([
        { violations: ['late_call'], persona: null, siteRequest: { path: '/held' } },
      ]);
    },
  );

  // A busy site may start a request only then.
  it.each([
    { calls: ['/user'], after: 'the guard of a request that starts late', expected: [] },
    {
      calls: ['/user', '/prints'],
      after: 'a guard that failed',
      expected: ['unguarded_call'],
    },
    { calls: ['/prints'], after: 'no guard', expected: ['unguarded_call'] },
  ])(
    'are not late for a visitor who disconnected long ago: $calls after $after',
    async ({ calls, expected }) => {
      const { ticketFor, leave } = await site.hold(platform.sessions.createCookie('ada'));
      await leave();
      await longAfter(async () => {
        for (const path of calls) {
          const headers = { 'x-platform-visitor': ticketFor('GET', path) };
          expect((await site.callDirectly('GET', path, headers)).status).toBe(401);
        }
      });
      expect(platform.ledger.violations().flatMap(({ violations }) => violations)).toEqual(
        expected,
      );
    },
  );

  it('are late for a visitor who disconnected long ago, if the guard had passed before', async () => {
    const { ticketFor, leave } = await site.hold(platform.sessions.createCookie('ada'));
    const send = (path: string) =>
      site.callDirectly('GET', path, { 'x-platform-visitor': ticketFor('GET', path) });
    expect((await send('/user')).status).toBe(200);
    await leave();
    await longAfter(async () => {
      expect((await send('/prints')).status).toBe(401);
    });
    expect(platform.ledger.violations()).toMatchObject([{ violations: ['late_call'] }]);
  });
});

async function longAfter(act: () => Promise<void>): Promise<void> {
  const realNow = Date.now;
  Date.now = () => realNow() + 61_000;
  try {
    await act();
  } finally {
    Date.now = realNow;
  }
}
