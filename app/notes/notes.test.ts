/** Notes on a file store, also when it is full. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { store } from '~/store.server';
import type { ImportedNote } from './schemas.server';
import { addNotes } from './stored/bulk.server';
import { listNotes } from './stored/list.server';
import { notesSuite } from '~/testing/notes/notes-suite';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));

const { member, signedIn, owner, send, add, titles } = await notesSuite();

function someNotes(count: number): ImportedNote[] {
  const note = { text: '', tags: [], pinned: false };
  return Array.from({ length: count }, (_, at) => ({ ...note, title: `n${at}` }));
}

test('other requests are answered while an import runs', async () => {
  const ada = await owner();
  const done: string[] = [];
  const adding = addNotes(ada.account, someNotes(5_000)).then(() => done.push('import'));
  await ada.visitor.get('/api/notes/export');
  done.push('request');
  await adding;
  expect(done).toEqual(['request', 'import']);
});

test('other requests are answered while a search reads thousands of notes', async () => {
  const ada = await owner();
  await addNotes(ada.account, someNotes(5_000));
  // The store itself waits for nothing: unless the search lets others run, it ends within one turn.
  const progress = { turns: 0, isDone: false };
  const search = { query: 'absent', tag: '', cursor: null };
  const searching = listNotes(ada.account, search).finally(() => (progress.isDone = true));
  for (; !progress.isDone; progress.turns++) await yieldToEventLoop();
  expect(await searching).toMatchObject({ notes: [], isSearched: true });
  // At most 1,000 notes are read in one.
  expect(progress.turns).toBeGreaterThanOrEqual(5);
});

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

// Last, because it leaves free pages in the file.
test('other requests are answered while a large account is deleted', async () => {
  const person = await member();
  const visitor = await signedIn(person);
  const account = await visitor.accountId();
  await addNotes(account, someNotes(2_000));
  const left: number[] = [];
  const progress = { isDone: false };
  const { password } = person;
  const deleting = send({ visitor, account }, '/settings', { intent: 'delete', password }).then(
    ({ location }) => {
      progress.isDone = true;
      expect(location).toBe('/');
    },
  );
  while (!progress.isDone) {
    const { rows } = await sql`select 1 from note where account_id = ${account}`.execute(store());
    left.push(rows.length);
    await yieldToEventLoop();
  }
  await deleting;
  expect(left).toContain(1_500);
  expect(left.at(-1)).toBe(0);
});
