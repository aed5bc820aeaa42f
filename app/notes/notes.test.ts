/** Notes on a file store, also when it is full. */
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { store } from '~/store/store.server';
import { notesSuite } from '~/testing/notes/notes-suite';

vi.mock('site-server/log', () => import('~/testing/log-double'));
vi.mock('~/accounts/mail/mailer.server', () => import('~/testing/mail-double'));
vi.mock('~/accounts/password/cost.server', () => import('~/testing/cheap-passwords'));

const { owner, send, add, titles } = await notesSuite();

test('a full store keeps its data, and the form keeps what was typed', async () => {
  const ada = await owner();
  const id = await add(ada, { title: 'Before' });
  await sql`pragma max_page_count = 1`.execute(store());
  const text = 'long '.repeat(3_000);
  const fields = { intent: 'add', id: crypto.randomUUID(), text };
  const refused = await send(ada, '/notes', fields);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(refused.text).toContain('may not have been saved');
  expect(refused.text).toContain('long long');
  const save = await send(ada, `/notes/${id}`, { intent: 'save', version: '1', text });
  expect([save.status, save.text.includes('long long')]).toEqual([503, true]);
  expect(save.headers.get('retry-after')).toBe('5');
  await sql`pragma max_page_count = 1000000`.execute(store());
  expect((await send(ada, '/notes', fields)).status).toBe(303);
  expect(await titles(ada)).toHaveLength(2);
});
