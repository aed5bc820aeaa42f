/** The studio in the offline demo. That the demo calls nobody is seen for every route in `offline-demo.test.ts`. */
import { expect, test, vi } from 'vitest';
import { post, postJson, startSite } from '~/testing/whole-site';

vi.stubEnv('OFFLINE_DEMO', '1');
vi.stubEnv('PLATFORM_INTERNAL_URL', undefined);

test('the demo makes pictures in memory, and refuses what the platform would [W31]', async () => {
  const site = await startSite();
  const started = await site.ask('/api/generations', postJson({ prompt: 'a fox' }));
  expect(started.status).toBe(201);
  const { id } = (await started.json()) as { id: string };
  for (const path of ['/api/generations', `/api/generations/${id}`]) {
    expect([path, (await site.ask(path)).status]).toEqual([path, 200]);
  }
  expect((await site.ask(`/api/generations/${id}/output.png`)).status).toBe(409);
  expect((await site.ask('/api/generations/unknown')).status).toBe(404);
  expect((await site.ask('/studio', post({ prompt: 'an owl' }))).status).toBe(303);
  expect((await site.ask('/studio', post({ prompt: '' }))).status).toBe(422);
});
