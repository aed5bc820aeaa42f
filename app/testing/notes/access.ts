/** Who may access which notes, and what no request may do to them. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { store } from '~/store.server';
import type { NotesSite } from './notes-suite';

export function accessToNotes({
  browser,
  owner,
  send,
  add,
  titles,
  rows,
  upload,
  exported,
}: NotesSite): void {
  test('a note exists only for its owner: everybody else gets nothing, with any request [W19]', async () => {
    const ada = await owner();
    const eve = await owner();
    const id = await add(ada, { title: 'Secret canary', text: 'canary text', tags: 'canarytag' });
    const gone = await add(ada, { title: 'Gone canary' });
    await send(ada, '/notes', { intent: 'delete', id: gone });
    const before = await rows();
    for (const path of [`/notes/${id}`, `/notes/${id}.data`, `/notes/${gone}`]) {
      const { status, text } = await eve.visitor.get(path);
      expect([path, status, text.includes('canary')]).toEqual([path, 404, false]);
    }
    for (const path of [
      '/notes',
      '/notes?q=canary',
      '/notes?tag=canarytag',
      `/notes?deleted=${gone}`,
    ]) {
      expect((await eve.visitor.get(path)).text).not.toContain('canary text');
      expect((await eve.visitor.get(path)).text).not.toContain('Gone canary');
    }
    expect((await exported(eve)).text).not.toContain('canary');
    for (const [path, fields] of [
      [`/notes/${id}`, { intent: 'save', version: '1', title: 'Mine', text: '' }],
      ['/notes', { intent: 'pin', id, pinned: 'true' }],
      ['/notes', { intent: 'delete', id }],
      ['/notes', { intent: 'restore', id: gone }],
      ['/notes', { intent: 'add', id, title: 'Mine' }],
    ] as const) {
      const { status, text } = await send(eve, path, fields);
      expect([fields, status, text.includes('canary')]).toEqual([fields, 404, false]);
    }
    // Nor by claiming to be the owner.
    const claimed = await eve.visitor.post('/notes', {
      account: ada.account,
      intent: 'delete',
      id,
    });
    expect(claimed.status).toBe(409);
    expect((await upload(eve, ada.account, { 'a.md': 'x' })).status).toBe(409);
    expect(await rows()).toBe(before);
  });

  test('signed out, every page redirects to sign-in and back, and every file is refused [W15] [W29]', async () => {
    const ada = await owner();
    const id = await add(ada, { title: 'Mine' });
    const before = await rows();
    const nobody = browser();
    for (const path of ['/notes?q=x', `/notes/${id}`, '/notes/import']) {
      const { status, location } = await nobody.get(path);
      expect([status, location]).toEqual([302, `/sign-in?return=${encodeURIComponent(path)}`]);
      const fields = { account: ada.account, intent: 'delete', id, version: '1', title: 'x' };
      expect((await nobody.post(path, fields)).status).toBe(302);
    }
    expect((await nobody.get('/api/notes/export')).status).toBe(401);
    expect((await nobody.post('/api/notes/export', {})).status).toBe(405);
    expect(await rows()).toBe(before);
  });

  test('a form sets only its own fields, and neither owner nor version nor time', async () => {
    const ada = await owner();
    const eve = await owner();
    const more = {
      account_id: eve.account,
      owner: eve.account,
      version: '7',
      pinned: 'true',
      created_at: '2001-01-01T00:00:00.000Z',
      updated_at: '2001-01-01T00:00:00.000Z',
      deleted_at: '2001-01-01T00:00:00.000Z',
      search_text: 'canary',
    };
    const id = await add(ada, { title: 'Plain', ...more });
    const before = await rows();
    const notes = [{ title: 'From a file', ...more, pinned: false, id, version: 9 }];
    const refused = await upload(ada, ada.account, { 'a.json': JSON.stringify({ notes }) });
    expect([refused.status, await rows()]).toEqual([422, before]);
    for (const name of ['account_id', 'owner', 'version', 'created_at', 'updated_at'])
      expect(refused.text).toContain(name);
    const plain = { 'a.json': JSON.stringify([{ title: 'From a file', pinned: false }]) };
    expect((await upload(ada, ada.account, plain)).status).toBe(200);
    await send(ada, `/notes/${id}`, {
      ...more,
      intent: 'save',
      version: '1',
      title: 'Plain again',
    });
    expect(await titles(eve)).toEqual([]);
    expect(await titles(ada, '?q=canary')).toEqual([]);
    expect((await titles(ada)).sort()).toEqual(['From a file', 'Plain again']);
    const kept = await sql<{
      version: number;
      created_at: Date | string;
      pinned: number | boolean;
    }>`
      select * from note where account_id = ${ada.account}`.execute(store());
    expect(kept.rows.map(({ version, pinned }) => [version, Boolean(pinned)]).sort()).toEqual([
      [1, false],
      [2, false],
    ]);
    for (const { created_at } of kept.rows)
      expect(JSON.stringify(created_at)).not.toContain('2001');
  });

  test('SQL, control characters and nonsense in any field are stored as text or rejected, and change nothing else', async () => {
    const ada = await owner();
    const id = await add(ada, { title: 'Here' });
    for (const bad of [
      `'; drop table note; --`,
      `" or 1=1 --`,
      `x' or '1'='1`,
      'a\0b',
      '\\',
      '%',
    ]) {
      const made = await add(ada, { title: `t${bad}`, text: bad, tags: bad });
      const page = await ada.visitor.get(`/notes/${made}`);
      expect([bad, page.status]).toEqual([bad, 200]);
      for (const name of ['q', 'tag', 'deleted', 'added']) {
        const { status } = await ada.visitor.get(
          `/notes?${new URLSearchParams({ [name]: bad }).toString()}`,
        );
        expect([name, bad, status]).toEqual([name, bad, 200]);
      }
      const responses = [
        ada.visitor.get(`/notes?${new URLSearchParams({ cursor: bad }).toString()}`),
        ada.visitor.get(`/notes/${encodeURIComponent(bad)}`),
        send(ada, '/notes', { intent: 'delete', id: bad }),
        send(ada, '/notes', { intent: bad, id }),
        send(ada, `/notes/${id}`, { intent: 'save', version: bad, title: 'x' }),
        ada.visitor.get(`/api/notes/export?${new URLSearchParams({ format: bad }).toString()}`),
      ];
      for (const response of responses) {
        expect([400, 404]).toContain((await response).status);
      }
      await send(ada, '/notes', { intent: 'delete', id: made });
    }
    expect(await titles(ada)).toEqual(['Here']);
  });
}
