import { expect, test, vi } from 'vitest';
import { post, postJson, startSite } from './whole-site';

vi.stubEnv('OFFLINE_DEMO', '1');
vi.stubEnv('PLATFORM_INTERNAL_URL', undefined);
const calls = vi.hoisted((): unknown[] => []);
vi.mock('undici', async (original) => {
  const refuse = (...call: unknown[]) => {
    calls.push(call);
    throw new Error('the demo called somebody');
  };
  return {
    ...(await original<object>()),
    request: refuse,
    fetch: refuse,
    getGlobalDispatcher: refuse,
  };
});

test('the demo serves every page and resource, says what it is, and calls nobody [W31]', async () => {
  const site = await startSite();
  const started = await site.ask('/api/generations', postJson({ prompt: 'a fox' }));
  expect(started.status).toBe(201);
  const { id } = (await started.json()) as { id: string };

  for (const path of ['/', '/studio', '/account']) {
    const response = await site.ask(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).toContain('Offline demo');
  }
  for (const path of ['/api/user', '/api/generations', `/api/generations/${id}`]) {
    expect([path, (await site.ask(path)).status]).toEqual([path, 200]);
  }
  expect((await site.ask(`/api/generations/${id}/output.png`)).status).toBe(409);
  expect((await site.ask('/api/generations/unknown')).status).toBe(404);
  expect((await site.ask('/studio', post({ prompt: 'an owl' }))).status).toBe(303);
  expect((await site.ask('/studio', post({ prompt: '' }))).status).toBe(422);
  expect(calls).toEqual([]);
});
