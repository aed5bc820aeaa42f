import { afterAll, expect, test } from 'vitest';
import { startService } from '@gatehouse/mcp/testing/service-double';
import { json, startUpstreamDouble } from '@gatehouse/mcp/testing/upstream-double';
import { createSkeletonService } from '../service.ts';

const upstream = await startUpstreamDouble();
const settings = { baseUrl: upstream.url, token: 'test-token', timeoutMs: 30_000 };
const service = await startService(createSkeletonService(settings));
afterAll(async () => {
  await service.close();
  await upstream.close();
});

test('requests one page and renders it', async () => {
  upstream.reply(json({ items: [{ id: 'i1', name: 'One' }], total: 7 }));
  const { text, structured } = await service.call('skeleton_list_items', { limit: 1, offset: 2 });
  expect(upstream.requests[0]?.url).toBe('/items?limit=1&offset=2');
  expect(text).toBe(
    '# Items\n\nFound 7 items (showing 1)\n\n- One (i1)\n\nMore results: offset 3.',
  );
  expect(structured).toMatchObject({ total: 7, count: 1, has_more: true, next_offset: 3 });
});

test('an empty list is not an error', async () => {
  upstream.reply(json({}));
  const { text, isError } = await service.call('skeleton_list_items');
  expect([text, isError]).toEqual(['There are no items.', false]);
});
