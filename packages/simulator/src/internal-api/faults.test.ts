/** Every fault, as a caller of the internal API experiences it. */
import { Agent, get } from 'node:http';

import { describe, expect, it } from 'vitest';

import { FAULT_TABLE, faultSchema, type FaultInput } from './faults.ts';
import { startControlSite, type Defect } from '../../test/negative-control/control-site.ts';
import type { InternalResponse } from '../testing/relay-site.ts';
import { printShop } from '../../test/print-shop.ts';
import { openTestSite } from '../testing/test-platform.ts';
import { visit } from '../../test/visit.ts';

const { platform, site } = await openTestSite(printShop);

const requestUser = (persona = 'ada'): Promise<InternalResponse> =>
  site.as(platform.sessions.createCookie(persona)).call('GET', '/user');

describe('faults', () => {
  it('are in the table once each, with the kinds of the schema', () => {
    const kinds = faultSchema.options.map(({ shape }) => shape.kind.value);
    expect(FAULT_TABLE.map(({ kind }) => kind)).toEqual(kinds);
    for (const kind of kinds) expect(faultSchema.parse({ kind })).toMatchObject({ kind });
  });

  it('respond with any status, body and content type', async () => {
    for (const [status, body, contentType] of [
      [500, '{"canary":1}', 'application/json'],
      [403, '<h1>no</h1>', 'text/html'],
      [204, '', null],
      [599, '', 'text/plain'],
      [999, 'odd', 'text/plain'],
    ] as const) {
      await platform.faults.set('user', { kind: 'status', status, body, contentType });
      const response = await requestUser();
      expect([response.status, response.text]).toEqual([status, body]);
      expect(response.headers['content-type']).toBe(contentType ?? undefined);
    }
  });

  it('delay the first byte and then respond normally', async () => {
    await platform.faults.set('user', { kind: 'delay', ms: 60 });
    const began = performance.now();
    expect((await requestUser()).json()).toMatchObject({ id: 'usr_ada' });
    expect(performance.now() - began).toBeGreaterThan(55);
  });

  it('drip the body a few bytes at a time', async () => {
    await platform.faults.set('user', { kind: 'drip', chunkBytes: 100, everyMs: 5 });
    expect((await requestUser()).json()).toMatchObject({ id: 'usr_ada' });
  });

  it('reset the connection', async () => {
    await platform.faults.set('user', { kind: 'reset' });
    await expect(requestUser()).rejects.toThrow(/ECONNRESET|hang up/);
    expect(platform.ledger.calls()).toMatchObject([
      { status: null, outcome: 'cut', fault: 'reset' },
    ]);
  });

  it('reset connections when one endpoint is unreachable', async () => {
    await platform.faults.set('user', { kind: 'unreachable' });
    await expect(requestUser()).rejects.toThrow(/hang up|ECONNRESET/);
  });

  it('refuse connections when every endpoint is unreachable, until cleared', async () => {
    await platform.faults.set('*', { kind: 'unreachable' });
    await expect(requestUser()).rejects.toThrow(/ECONNREFUSED/);
    await platform.faults.clear();
    expect((await requestUser()).status).toBe(200);
  });

  it('announce a whole body and cut it', async () => {
    await platform.faults.set('user', { kind: 'truncated' });
    await expect(requestUser()).rejects.toThrow(/aborted|ECONNRESET/);
    expect(platform.ledger.calls()).toMatchObject([{ status: 200, outcome: 'cut' }]);
  });

  it.each<[string, Defect[], number[]]>([
    ['that retries gets an answer', [], [200, 200, 200, 200]],
    ['that does not retry loses the call', ['no_retry'], [200, 502, 200, 502]],
  ])('close an idle connection as a call is sent on it: a site %s', async (_, defects, all) => {
    const control = await startControlSite(platform, defects);
    const cookie = platform.sessions.createCookie('ada');
    await platform.faults.set('user', { kind: 'idle_close', idleMs: 0 });
    for (const status of all) {
      expect((await visit(platform, '/api/user', { cookie })).status).toBe(status);
    }
    await control.stop();
    const cut = platform.ledger.calls().filter(({ outcome }) => outcome === 'cut');
    expect(cut.length).toBeGreaterThan(1);
    for (const call of cut) expect(call).toMatchObject({ fault: 'idle_close', persona: 'ada' });
    expect(platform.ledger.violations(), 'what is asked once more has another ticket').toEqual([]);
  });

  it('close one of several idle connections, so that a retry is answered', async () => {
    const agent = new Agent({ keepAlive: true });
    const send = () =>
      new Promise<number | undefined>((resolve, reject) => {
        get(`${platform.internalUrl}/user`, { agent }, (response) => {
          response.resume().once('end', () => {
            resolve(response.statusCode);
          });
        }).once('error', reject);
      });
    expect(await Promise.all([send(), send(), send()])).toEqual([401, 401, 401]);
    await platform.faults.set('user', { kind: 'idle_close', idleMs: 0 });
    await expect(send()).rejects.toThrow(/ECONNRESET|hang up/);
    expect(await send()).toBe(401);
    agent.destroy();
  });

  it('close no connection that is new, or was idle for less than idleMs', async () => {
    const control = await startControlSite(platform, ['no_retry']);
    const cookie = platform.sessions.createCookie('ada');
    await platform.faults.set('user', { kind: 'idle_close', idleMs: 60_000 }, { times: 1 });
    const send = async () => (await visit(platform, '/api/user', { cookie })).status;
    expect([await send(), await send(), await send()]).toEqual([200, 200, 200]);
    await control.stop();
    expect(platform.faults.active(), 'the fault waits for a connection that is').toHaveLength(1);
  });

  it('redirect to a location that a caller must not follow', async () => {
    await platform.faults.set('user', { kind: 'redirect', location: 'http://evil.test/?canary' });
    const response = await requestUser();
    expect([response.status, response.headers.location]).toEqual([302, 'http://evil.test/?canary']);
  });

  it('send a body larger than a caller should read', async () => {
    await platform.faults.set('user', { kind: 'oversized' });
    const response = await requestUser();
    expect(response.body.length).toBe(5 * 1024 * 1024);
    expect(response.json()).toHaveProperty('filler');
  });

  it('respond with 200 and JSON that does not parse', async () => {
    await platform.faults.set('user', { kind: 'bad_json' });
    const response = await requestUser();
    expect(response.status).toBe(200);
    expect(() => response.json()).toThrow();
  });

  it('send the right body with a wrong content type, or none', async () => {
    await platform.faults.set('user', { kind: 'content_type' });
    expect((await requestUser()).headers['content-type']).toBe('text/html; charset=utf-8');
    await platform.faults.set('user', { kind: 'content_type', contentType: null });
    const bare = await requestUser();
    expect(bare.headers['content-type']).toBeUndefined();
    expect(bare.json()).toMatchObject({ id: 'usr_ada' });
  });

  it('apply only to their endpoint', async () => {
    await platform.faults.set('list-prints', { kind: 'status', status: 503 });
    const visitor = site.as(platform.sessions.createCookie('ada'));
    expect((await visitor.call('GET', '/prints')).status).toBe(503);
    expect((await visitor.call('POST', '/prints', { text: 'a fox' })).status).toBe(201);
    expect((await requestUser()).status).toBe(200);
  });

  it('end after the given number of calls', async () => {
    await platform.faults.set('user', { kind: 'status' }, { times: 2 });
    const statuses = [await requestUser(), await requestUser(), await requestUser()].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([500, 500, 200]);
    expect(platform.faults.active()).toEqual([]);
  });

  it('apply only to their persona, before those for everybody', async () => {
    await platform.faults.set('user', { kind: 'status', status: 503 }, { persona: 'bobby' });
    expect((await requestUser('ada')).status).toBe(200);
    await platform.faults.set('*', { kind: 'status', status: 500 });
    expect((await requestUser('bobby')).status).toBe(503);
    expect((await requestUser('ada')).status).toBe(500);
  });

  it('replace an earlier fault of the same endpoint', async () => {
    await platform.faults.set('user', { kind: 'status', status: 503 });
    await platform.faults.set('user', { kind: 'status', status: 504 });
    expect(platform.faults.active()).toHaveLength(1);
    await platform.faults.clear('user');
    expect((await requestUser()).status).toBe(200);
  });

  it('that answer instead of an operation do not run the operation', async () => {
    const visitor = site.as(platform.sessions.createCookie('ada'));
    for (const kind of ['status', 'reset', 'redirect', 'oversized', 'bad_json'] as const) {
      await platform.faults.set('print', { kind });
      await visitor.call('POST', '/prints', { text: 'a fox' }).catch(() => undefined);
    }
    const list = (await visitor.call('GET', '/prints')).json();
    expect(list).toEqual([]);
    expect((await requestUser()).json()).toMatchObject({ credits: 120 });
  });

  it('record a caller that disconnects before the response as aborted', async () => {
    await platform.faults.set('user', { kind: 'delay', ms: 60_000 });
    const cookie = platform.sessions.createCookie('ada');
    const { ticketFor } = await site.hold(cookie);
    const leaving = new AbortController();
    const call = fetch(`${platform.internalUrl}/user`, {
      headers: { 'x-platform-visitor': ticketFor('GET', '/user') },
      signal: leaving.signal,
    });
    await expect.poll(() => platform.ledger.calls()).toMatchObject([{ outcome: 'pending' }]);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await expect
      .poll(() => platform.ledger.calls())
      .toMatchObject([{ outcome: 'aborted', status: null, fault: 'delay' }]);
  });

  it.each<[string, unknown]>([
    ['an unknown kind', { kind: 'gremlins' }],
    ['an unknown setting', { kind: 'delay', seconds: 3 }],
    ['an impossible status', { kind: 'status', status: 99 }],
    ['a delay without end', { kind: 'delay', ms: 1e9 }],
  ])('are refused with %s', async (_what, fault) => {
    await expect(platform.faults.set('user', fault as FaultInput)).rejects.toThrow();
    expect(platform.faults.active()).toEqual([]);
  });

  it('are refused for an unknown endpoint, with the valid names', async () => {
    const sentence =
      'Unknown endpoint nowhere: faults apply to *, user, print, list-prints, read-print, discard-print, site.';
    // @ts-expect-error -- the names are also checked by the compiler
    await expect(platform.faults.set('nowhere', { kind: 'reset' })).rejects.toThrow(sentence);
    // @ts-expect-error -- as above
    await expect(platform.faults.clear('nowhere')).rejects.toThrow(sentence);
  });

  it.each([
    ['user', 'GET', '/user'],
    ['print', 'POST', '/prints'],
    ['list-prints', 'GET', '/prints'],
    ['read-print', 'GET', '/prints/prt_1'],
    ['discard-print', 'DELETE', '/prints/prt_1'],
  ] as const)('reach the endpoint %s', async (endpoint, method, path) => {
    const visitor = site.as(platform.sessions.createCookie('ada'));
    await visitor.call('POST', '/prints', { text: 'a fox' });
    await platform.faults.set(endpoint, { kind: 'status', status: 599 });
    expect((await visitor.call(method, path)).status).toBe(599);
  });
});
