/** Generations at the internal API, called through a site that passes every call on. */
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';

import { openSimulatedSite } from '~/testing/studio/simulated-site';
import type { GenerationJson } from './store';

const { platform, site } = await openSimulatedSite();

const as = (persona: string) => site.as(platform.sessions.createCookie(persona));

async function submit(persona: string, prompt: unknown = 'a red fox'): Promise<GenerationJson> {
  const response = await as(persona).call('POST', '/generations', { prompts: [prompt] });
  expect(response.status).toBe(201);
  const [made] = (response.json() as { items: GenerationJson[] }).items;
  if (!made) throw new Error('nothing was made');
  return made;
}

describe('generations', () => {
  it('start queued, and contain internal fields that a site must not pass on', async () => {
    platform.clock.freeze();
    expect(await submit('ada')).toEqual({
      id: expect.stringMatching(/^gen_[0-9a-f]{24}$/) as string,
      kind: 'picture',
      prompt: 'a red fox',
      aspect_ratio: '1:1',
      status: 'queued',
      progress: 0,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      workspace_id: 'wsp_ada',
      cost: 1,
      references: [],
      output: null,
      error: null,
      internal_trace: expect.stringContaining('trace-canary') as string,
    });
  });

  it('progress with the clock and end as a PNG with matching metadata', async () => {
    platform.clock.freeze();
    const { id } = await submit('ada');
    const states: unknown[] = [];
    for (let step = 0; step < 3; step += 1) {
      platform.clock.advance(1_000);
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
    platform.clock.freeze();
    const { id } = await submit('ada', 'Fail please, dear machine');
    platform.clock.advance(10_000);
    const response = (await as('ada').call('GET', `/generations/${id}`)).json();
    expect(response).toMatchObject({
      status: 'failed',
      progress: 0.6,
      output: null,
      error: { code: 'provider_failed' },
    });
    expect((await as('ada').call('GET', `/generations/${id}/output`)).status).toBe(409);
  });

  it('have no output before they are done', async () => {
    platform.clock.freeze();
    const { id } = await submit('ada');
    const response = await as('ada').call('GET', `/generations/${id}/output`);
    expect(response.status).toBe(409);
    expect(response.json()).toMatchObject({ error: 'not_ready' });
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

  it('of another person are indistinguishable from unknown ones', async () => {
    platform.state.generations.setDuration(0);
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
    const response = await as('ada').call('POST', '/generations', { prompts: [prompt] });
    expect(response.status).toBe(422);
    expect((await as('ada').call('GET', '/user')).json()).toMatchObject({ credits: 120 });
  });

  it.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded'])(
    'are refused as %s, at no cost',
    async (contentType) => {
      const headers = { 'content-type': contentType };
      const response = await as('ada').call(
        'POST',
        '/generations',
        { prompts: ['a fox'] },
        headers,
      );
      expect(response.status).toBe(415);
      expect((await as('ada').call('GET', '/user')).json()).toMatchObject({ credits: 120 });
    },
  );

  it('cost one credit each, and 402 when none is left', async () => {
    await submit('ada');
    expect((await as('ada').call('GET', '/user')).json()).toMatchObject({ credits: 119 });
    const response = await as('zoe').call('POST', '/generations', { prompts: ['a fox'] });
    expect(response.status).toBe(402);
    expect(response.json()).toMatchObject({ error: 'insufficient_credits' });
  });

  it('are ordered in the chosen workspace until its owner removes the person', async () => {
    const xochitl = as('xochitl');
    const order = () => xochitl.call('POST', '/generations', { prompts: ['a fox'] });
    const press = 'wsp_xochitl_press';
    await xochitl.call('POST', `/workspaces/${press}/choose`);
    expect((await order()).json()).toMatchObject({ items: [{ workspace_id: press }] });
    platform.state.workspaces.leave('xochitl', press);
    const gone = await order();
    expect([gone.status, gone.json()]).toMatchObject([409, { error: 'workspace_gone' }]);
    const list = (await xochitl.call('GET', '/workspaces')).json();
    expect(list).toMatchObject({ chosen: press, items: [{ id: 'wsp_xochitl' }, {}] });
    await xochitl.call('POST', '/workspaces/wsp_xochitl/choose');
    expect((await order()).status).toBe(201);
  });

  it('are reported in events, which end with the session', async () => {
    platform.clock.freeze();
    const { id } = await submit('ada');
    const events = as('ada').call('GET', '/generations/events');
    await expect.poll(() => platform.ledger.calls({ endpoint: 'watch' })).toHaveLength(1);
    platform.sessions.revokeAll('ada');
    const { status, text } = await events;
    expect([status, text]).toEqual([200, expect.stringContaining(`"id":"${id}"`)]);
  });
});
