import { startService } from '@gatehouse/mcp/testing/service-double';
import { json, startUpstreamDouble } from '@gatehouse/mcp/testing/upstream-double';
import { afterAll, expect, test } from 'vitest';
import service from '../service.ts';

const api = await startUpstreamDouble();
const { call, close } = await startService(service, {
  EXAMPLE_API_BASE_URL: api.url,
  EXAMPLE_API_TOKEN: 'a-token',
});
afterAll(async () => {
  await close();
  await api.close();
});

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com', team: 'Billing' };

test('requests one page with the credential, and renders it', async () => {
  api.reply(json({ users: [ada], total: 7 }));
  const { text, structured } = await call('example_search_users', { query: ' ada ', limit: 1 });
  expect(api.requests).toMatchObject([
    { url: '/users/search?q=ada&limit=1&offset=0', headers: { authorization: 'Bearer a-token' } },
  ]);
  expect(text).toBe(
    '# User search: ada\n\nFound 7 users (showing 1)\n\n' +
      '## Ada (u1)\n- **Email**: ada@example.com\n- **Team**: Billing\n\nMore results: offset 1.',
  );
  expect(structured).toMatchObject({ users: [ada], has_more: true, next_offset: 1 });
});

test('no match is a sentence, and no error', async () => {
  api.reply(json({}));
  const { text, isError } = await call('example_search_users', { query: 'nobody' });
  expect([text, isError]).toEqual(["No users found matching 'nobody'", false]);
});

test('a refused credential becomes the contract’s text', async () => {
  api.reply(json({}, 401));
  const { text, isError } = await call('example_search_users', { query: 'ada' });
  expect([text, isError]).toEqual(['Error: Invalid API authentication', true]);
});
