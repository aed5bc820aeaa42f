/** The control API over HTTP. */
import { describe, expect, it } from 'vitest';

import { printShop } from '../../test/print-shop.ts';
import { openTestSite } from '../testing/test-platform.ts';
import { visit, type Visited } from '../../test/visit.ts';

const { platform, site } = await openTestSite(printShop);

function control(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { 'x-platform-control': '1' },
): Promise<Visited> {
  return visit(platform, `/__platform/${path}`, {
    to: 'platform',
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const fault = (settings: object): object => ({ endpoint: 'user', fault: settings });

describe('the control API', () => {
  it('returns the state that the page shows', async () => {
    const state = (await control('GET', 'state')).json();
    expect(state).toMatchObject({
      siteOrigin: platform.siteOrigin,
      faults: [],
      personas: expect.arrayContaining([
        expect.objectContaining({ id: 'ada', initial: 'A', credits: 120 }),
      ]) as unknown,
    });
  });

  it('ends sessions', async () => {
    const cookie = platform.sessions.createCookie('ada');
    expect((await site.as(cookie).call('GET', '/user')).status).toBe(200);
    expect((await control('POST', 'sessions/revoke', {})).json()).toEqual({ revoked: 1 });
    expect((await site.as(cookie).call('GET', '/user')).status).toBe(401);
  });

  it('expires sessions', async () => {
    const cookie = platform.sessions.createCookie('ada');
    expect((await control('POST', 'sessions/advance', { ms: 24 * 60 * 60 * 1000 })).status).toBe(
      204,
    );
    expect((await site.as(cookie).call('GET', '/user')).status).toBe(401);
  });

  it('creates a link that signs the frame in as a persona', async () => {
    const body = { persona: 'bobby', return: '/shop' };
    const { url } = (await control('POST', 'sessions/switch', body)).json() as { url: string };
    expect(url.startsWith(`${platform.siteOrigin}/__auth/switch?code=`)).toBe(true);
    const { status, headers } = await visit(platform, url.slice(platform.siteOrigin.length));
    expect([status, headers.location]).toEqual([303, '/shop']);
  });

  it('sets and clears faults', async () => {
    const fault = {
      endpoint: 'user',
      fault: { kind: 'status', status: 503 },
      times: 3,
      persona: 'ada',
    };
    expect((await control('POST', 'faults', fault)).json()).toMatchObject([
      { endpoint: 'user', fault: { kind: 'status', status: 503 }, timesLeft: 3, persona: 'ada' },
    ]);
    const cookie = platform.sessions.createCookie('ada');
    expect((await site.as(cookie).call('GET', '/user')).status).toBe(503);
    expect((await control('DELETE', 'faults')).json()).toEqual([]);
    expect((await site.as(cookie).call('GET', '/user')).status).toBe(200);
  });

  it('returns the ledger, and clears it', async () => {
    await site.as(platform.sessions.createCookie('ada')).call('GET', '/user');
    await site.callDirectly('GET', '/nothing');
    expect((await control('GET', 'ledger')).json()).toMatchObject([
      { persona: 'ada', violations: [] },
      { persona: null, violations: ['unknown_endpoint', 'no_identity'] },
    ]);
    await control('DELETE', 'ledger');
    expect((await control('GET', 'ledger')).json()).toEqual([]);
  });

  it.each([
    [
      'faults',
      fault({ kind: 'status', status: 9999 }),
      'status must be a whole number from 200 to 999.',
    ],
    [
      'faults',
      fault({ kind: 'status', status: '500' }),
      'status must be a whole number from 200 to 999.',
    ],
    ['faults', fault({ kind: 'delay', ms: 1e9 }), 'ms must be a whole number from 0 to 120000.'],
    ['faults', fault({ kind: 'delay', ms: 0.5 }), 'ms must be a whole number from 0 to 120000.'],
    [
      'faults',
      fault({ kind: 'redirect', status: 304 }),
      'status must be one of 301, 302, 303, 307, 308.',
    ],
    [
      'faults',
      fault({ kind: 'redirect', location: 'x'.repeat(2_001) }),
      'location must be text of at most 2000 characters.',
    ],
    ['faults', fault({ kind: 'delay', seconds: 3 }), 'fault has unknown keys: seconds.'],
    ['faults', fault({ kind: 'gremlins' }), 'kind is not valid.'],
    [
      'faults',
      { ...fault({ kind: 'reset' }), times: 0 },
      'times must be a whole number from 1 to 10000.',
    ],
    [
      'faults',
      { endpoint: 'everything', fault: { kind: 'reset' } },
      'endpoint must be one of *, user, print, list-prints, read-print, discard-print, site.',
    ],
    [
      'faults',
      fault({ kind: 'content_type', contentType: 'text/html\r\nx: y' }),
      'contentType must be one line of Latin-1 text.',
    ],
    [
      'faults',
      { ...fault({ kind: 'reset' }), persona: 'nobody' },
      'There is no persona called "nobody".',
    ],
    ['sessions/switch', { persona: 'nobody' }, 'There is no persona called "nobody".'],
    ['sessions/switch', {}, 'persona is missing.'],
    ['sessions/switch', [], 'The request is not valid.'],
  ])('responds with 400 to %s %j: %s', async (path, body, sentence) => {
    const response = await control('POST', path, body);
    expect([response.status, response.json()]).toMatchObject([400, { error: sentence }]);
    expect(platform.faults.active()).toEqual([]);
  });

  it('responds with 400 to an invalid query and an invalid body', async () => {
    const query = await control('DELETE', 'faults?endpoint=everything');
    expect([query.status, query.json()]).toMatchObject([400, { field: 'endpoint' }]);
    const body = await visit(platform, '/__platform/faults', {
      to: 'platform',
      method: 'POST',
      headers: { 'x-platform-control': '1' },
      body: '{',
    });
    expect([body.status, body.json()]).toEqual([400, { error: 'The body is not JSON.' }]);
  });

  it.each([
    ['another origin', { origin: 'http://evil.test', 'x-platform-control': '1' }],
    ['the framed site', { 'sec-fetch-site': 'cross-site', 'x-platform-control': '1' }],
    ['a sandboxed frame', { origin: 'null', 'x-platform-control': '1' }],
    ['a plain form', { 'sec-fetch-site': 'same-origin' }],
  ])('refuses a command from %s', async (_who, headers) => {
    const response = await control('POST', 'sessions/switch', { persona: 'ada' }, headers);
    expect(response.status).toBe(403);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('refuses reads by the framed site, and approves no preflight', async () => {
    const cross = { 'sec-fetch-site': 'cross-site' };
    expect((await control('GET', 'state', undefined, cross)).status).toBe(403);
    const preflight = await control('OPTIONS', 'state', undefined, { origin: platform.siteOrigin });
    expect(preflight.status).toBe(403);
    expect(preflight.headers['access-control-allow-headers']).toBeUndefined();
  });

  it('is not served on the site’s host', async () => {
    expect((await visit(platform, '/__platform/state')).text).not.toContain('personas');
  });
});
