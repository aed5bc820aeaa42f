/** The internal API, called through a site that passes every call on. */
import { describe, expect, it } from 'vitest';

import { openTestSite } from '../test/test-platform';

const { platform, site } = await openTestSite();

const as = (persona: string) => site.as(platform.sessions.createCookie(persona));

describe('/user', () => {
  it('answers with the visitor’s profile', async () => {
    const answer = await as('ada').call('GET', '/user');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json()).toMatchObject({ id: 'usr_ada', name: 'Ada Quist', credits: 120 });
  });

  it('has next to nothing to say about some people', async () => {
    expect((await as('minimal').call('GET', '/user')).json()).toEqual({ id: 'usr_minimal' });
  });

  it('answers 401 as JSON to a visitor who is not signed in', async () => {
    const answer = await site.as('').call('GET', '/user');
    expect(answer.status).toBe(401);
    expect(answer.json()).toEqual({
      error: 'unauthenticated',
      message: expect.any(String) as string,
    });
    expect(platform.ledger.violations()).toEqual([]);
  });

  it('follows a session that ends in the middle of a request', async () => {
    const visitor = as('ada');
    expect((await visitor.call('GET', '/user')).status).toBe(200);
    platform.sessions.revokeAll('ada');
    expect((await visitor.call('GET', '/user')).status).toBe(401);
  });
});

it('carries headers that a site must not pass on', async () => {
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
    ['body_sent', { 'transfer-encoding': 'chunked' }],
    ['cookie_sent', { cookie: 'a=1' }],
    ['browser_call', { origin: 'http://site.localhost:4000' }],
    ['browser_call', { 'sec-fetch-site': 'cross-site' }],
    ['browser_call', { 'sec-fetch-dest': 'empty' }],
    ['browser_call', { 'user-agent': 'Mozilla/5.0 (X11; Linux)' }],
    ['wrong_host', { host: 'evil.test' }],
  ])('are refused as %s when they carry %j', async (violation, headers) => {
    const answer = await as('ada').call('GET', '/user', undefined, headers);
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('usr_ada');
    expect(platform.ledger.violations()).toMatchObject([
      { violations: [violation], persona: 'ada' },
    ]);
  });

  it('are refused when a GET has a body', async () => {
    const headers = { 'content-length': '2' };
    expect((await as('ada').call('GET', '/user', {}, headers)).status).toBe(403);
    expect(platform.ledger.violations()).toMatchObject([{ violations: ['body_sent'] }]);
  });

  it('are answered 404 and flagged when there is no such endpoint', async () => {
    for (const [method, path] of [
      ['GET', '/workspaces'],
      ['DELETE', '/generations'],
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

  it.each([[undefined], ['forged']])('are 401 with the ticket %s', async (ticket) => {
    const headers = ticket === undefined ? {} : { 'x-platform-visitor': ticket };
    const user = await site.callDirectly('GET', '/user', headers);
    expect(user.status).toBe(401);
    expect(platform.ledger.violations()).toEqual([]);
    const list = await site.callDirectly('GET', '/generations', headers);
    expect(list.status).toBe(401);
    expect(platform.ledger.violations()).toMatchObject([{ violations: ['no_identity'] }]);
  });

  it('take no notice of a call that belongs to what was before a reset', async () => {
    const ticket = await site.ticketOf(platform.sessions.createCookie('ada'));
    await platform.reset();
    await platform.faults.set('list', { kind: 'status', status: 503 }, { times: 1 });
    const late = await site.callDirectly('GET', '/generations', { 'x-platform-visitor': ticket });
    expect(late.status).toBe(401);
    expect(platform.ledger.entries()).toEqual([]);
    expect(platform.faults.active(), 'the fault waits for another').toHaveLength(1);
  });

  it('have a way in for benchmarks, which ends with a reset', async () => {
    const ticket = platform.sessions.mintTicket('ada');
    const ask = () => site.callDirectly('GET', '/user', { 'x-platform-visitor': ticket });
    expect((await ask()).json()).toMatchObject({ id: 'usr_ada' });
    await platform.reset();
    expect((await ask()).status).toBe(401);
  });

  it('find the ticket of a finished request dead after a while', async () => {
    const ticket = await site.ticketOf(platform.sessions.createCookie('ada'));
    const ask = () => site.callDirectly('GET', '/user', { 'x-platform-visitor': ticket });
    expect((await ask()).status).toBe(200);
    const realNow = Date.now;
    Date.now = () => realNow() + 11_000;
    try {
      expect((await ask()).status).toBe(401);
    } finally {
      Date.now = realNow;
    }
  });
});
