/** The internal API, called through a site that passes every call on. */
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';

import type { GenerationJson } from './generations';
import { openTestSite } from './test-platform';

const { platform, site } = await openTestSite();

const as = (persona: string) => site.as(platform.sessions.createCookie(persona));

async function submit(persona: string, prompt: unknown = 'a red fox'): Promise<GenerationJson> {
  const answer = await as(persona).call('POST', '/generations', { prompt });
  expect(answer.status).toBe(201);
  return answer.json() as GenerationJson;
}

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

describe('generations', () => {
  it('begin queued, and carry noise that a site must not pass on', async () => {
    platform.generations.freeze();
    expect(await submit('ada')).toEqual({
      id: expect.stringMatching(/^gen_[0-9a-f]{24}$/) as string,
      prompt: 'a red fox',
      status: 'queued',
      progress: 0,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      output: null,
      error: null,
      internal_trace: expect.stringContaining('trace-canary') as string,
    });
  });

  it('progress by the clock and end as a PNG whose facts agree', async () => {
    platform.generations.freeze();
    const { id } = await submit('ada');
    const states: unknown[] = [];
    for (let step = 0; step < 3; step += 1) {
      platform.generations.advance(1_000);
      const { status, progress } = (
        await as('ada').call('GET', `/generations/${id}`)
      ).json() as GenerationJson;
      states.push([status, progress]);
    }
    expect(states).toEqual([
      ['running', 0.33],
      ['running', 0.67],
      ['succeeded', 1],
    ]);
    const { output } = (await as('ada').call('GET', `/generations/${id}`)).json() as GenerationJson;
    const picture = await as('ada').call('GET', `/generations/${id}/output`);
    const { width, height } = PNG.sync.read(picture.body);
    expect(picture.headers['content-type']).toBe('image/png');
    expect(output).toEqual({
      content_type: 'image/png',
      width,
      height,
      bytes: picture.body.length,
    });
  });

  it('fail at 60 % when asked to', async () => {
    platform.generations.freeze();
    const { id } = await submit('ada', 'Fail please, dear machine');
    platform.generations.advance(10_000);
    const answer = (await as('ada').call('GET', `/generations/${id}`)).json();
    expect(answer).toMatchObject({
      status: 'failed',
      progress: 0.6,
      output: null,
      error: { code: 'generation_failed' },
    });
    expect((await as('ada').call('GET', `/generations/${id}/output`)).status).toBe(409);
  });

  it('have no output before they are done', async () => {
    platform.generations.freeze();
    const { id } = await submit('ada');
    const answer = await as('ada').call('GET', `/generations/${id}/output`);
    expect(answer.status).toBe(409);
    expect(answer.json()).toMatchObject({ error: 'not_ready' });
  });

  it('are listed newest first, page by page, and only to their owner', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await submit('ada')).id);
    await submit('bobby');

    const collected: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page = (await as('ada').call('GET', `/generations?limit=2${query}`)).json() as {
        items: GenerationJson[];
        next_cursor: string | null;
      };
      collected.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(collected).toEqual(ids);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'cursor=x', 'cursor='])(
    'answer 422 to a list with %s',
    async (query) => {
      expect((await as('ada').call('GET', `/generations?${query}`)).status).toBe(422);
    },
  );

  it('of another person look exactly like unknown ones', async () => {
    platform.generations.setDuration(0);
    const { id } = await submit('ada');
    for (const suffix of ['', '/output']) {
      const others = await as('bobby').call('GET', `/generations/${id}${suffix}`);
      const unknown = await as('bobby').call('GET', `/generations/gen_0${suffix}`);
      expect([others.status, others.text]).toEqual([404, unknown.text]);
      expect(unknown.status).toBe(404);
    }
  });

  it.each([
    ['an empty', ''],
    ['a blank', ' \n\t'],
    ['a huge', 'x'.repeat(2_001)],
    ['no', undefined],
    ['a numeric', 7],
  ])('are refused for %s prompt, at no cost', async (_kind, prompt) => {
    const answer = await as('ada').call('POST', '/generations', { prompt });
    expect(answer.status).toBe(422);
    expect((await as('ada').call('GET', '/user')).json()).toMatchObject({ credits: 120 });
  });

  it.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded'])(
    'are refused as %s, at no cost',
    async (contentType) => {
      const headers = { 'content-type': contentType };
      const answer = await as('ada').call('POST', '/generations', { prompt: 'a fox' }, headers);
      expect(answer.status).toBe(415);
      expect((await as('ada').call('GET', '/user')).json()).toMatchObject({ credits: 120 });
    },
  );

  it('cost one credit each, and 402 when none is left', async () => {
    await submit('ada');
    expect((await as('ada').call('GET', '/user')).json()).toMatchObject({ credits: 119 });
    const answer = await as('zoe').call('POST', '/generations', { prompt: 'a fox' });
    expect(answer.status).toBe(402);
    expect(answer.json()).toMatchObject({ error: 'insufficient_credits' });
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
