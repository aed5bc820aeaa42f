/** Import and export of notes. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { store } from '~/store.server';
import { siteOrigin } from '../whole-site';
import type { NotesSite } from './notes-suite';

export function notesInFiles({
  member,
  signedIn,
  owner,
  send,
  add,
  titles,
  rows,
  upload,
  exported,
}: NotesSite): void {
  test('an export can be imported again, as JSON and as Markdown, by any account', async () => {
    const ada = await owner();
    await add(ada, { title: 'Plain', text: 'One\n\n# Two\n', tags: 'a, b c' });
    await add(ada, { text: '\n\nleading and trailing \n\n' });
    await add(ada, {
      title: '# Hash -->',
      text: '<!-- note {"tags":[]} -->\n\\<!-- note x\n-->\n',
    });
    const pinned = await add(ada, { title: 'Pinned ünïcode 🧭', tags: 'x->y' });
    await send(ada, '/notes', { intent: 'pin', id: pinned, pinned: 'true' });
    const sorted = (text: string) => {
      const { notes } = JSON.parse(text) as { notes: { title: string }[] };
      return notes.map((note) => JSON.stringify(note)).sort();
    };
    const original = sorted((await exported(ada)).text);
    expect(original).toHaveLength(4);
    for (const [format, name, type] of [
      ['json', 'notes.json', 'application/json; charset=utf-8'],
      ['markdown', 'notes.md', 'text/markdown; charset=utf-8'],
    ] as const) {
      const file = await exported(ada, format);
      expect(file.headers.get('content-type')).toBe(type);
      expect(file.headers.get('content-disposition')).toContain(`"${name}"`);
      const bob = await owner();
      const taken = await upload(bob, bob.account, { [name]: file.text });
      expect(taken.text).toContain('Imported 4 notes.');
      expect(sorted((await exported(bob)).text)).toEqual(original);
    }
    const bob = await owner();
    await upload(bob, bob.account, { 'a.md': '# Title\n\ntext', 'b.markdown': 'only text' });
    expect((await titles(bob)).sort()).toEqual(['Title', 'only text']);
  });

  test('a file that is imported again adds only what is not there, and says so', async () => {
    const ada = await owner();
    const [bread, boat] = [
      { title: 'Bread', text: 'Flour', tags: 'b, a, é' },
      { title: 'Boat', text: 'Sails' },
    ];
    await add(ada, bread);
    const edited = await add(ada, boat);
    // Two of the same words are two notes, also where they are imported.
    await add(ada, { title: 'Twice' });
    await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(Date.now());
    await add(ada, { title: 'Twice' });
    const [json, markdown] = [await exported(ada), await exported(ada, 'markdown')];
    const before = await rows();
    for (const files of [{ 'n.json': json.text }, { 'n.md': markdown.text }]) {
      const again = await upload(ada, ada.account, files);
      expect([again.status, again.text]).toEqual([
        200,
        expect.stringContaining('Nothing was imported: 4 were already there.'),
      ]);
    }
    expect(await rows()).toBe(before);
    const bob = await owner();
    const taken = await upload(bob, bob.account, { 'n.json': json.text });
    expect(taken.text).toContain('Imported 4 notes.');

    // What was edited since is another note, and neither of the two is lost.
    const save = { intent: 'save', version: '1', ...boat, text: 'Oars' };
    expect((await send(ada, `/notes/${edited}`, save)).status).toBe(303);
    const partly = await upload(ada, ada.account, { 'n.json': json.text });
    expect(partly.text).toContain('Imported one note; 3 were already there.');
    expect((await ada.visitor.get(`/notes/${edited}`)).text).toContain('Oars');

    // An import is how deleted notes come back.
    await send(ada, '/notes', { intent: 'delete', id: edited });
    await send(ada, '/notes', { intent: 'add', id: crypto.randomUUID(), title: 'Third' });
    const third = { 'c.md': '# Third', 'd.md': '# Third', 'e.md': '# Boat\n\nOars' };
    const back = await upload(ada, ada.account, third);
    expect(back.text).toContain('Imported one note; 2 were already there.');
  });

  test('one person’s notes are not there for another, who imports the same file', async () => {
    const [ada, bob] = [await owner(), await owner()];
    const id = await add(ada, { title: 'Ours', text: 'words' });
    const { notes } = JSON.parse((await exported(ada)).text) as { notes: object[] };
    const adas = (await ada.visitor.get(`/notes/${id}`)).text;
    const file = { 'n.json': JSON.stringify(notes) };
    // With the ids and the owner that an attacker could add.
    const forged = notes.map((note) => ({ ...note, id, account_id: ada.account, version: 9 }));
    const refused = await upload(bob, bob.account, { 'n.json': JSON.stringify(forged) });
    expect([refused.status, await titles(bob)]).toEqual([422, []]);
    expect(refused.text).toContain('id, account_id, version');
    expect((await upload(bob, bob.account, file)).text).toContain('Imported one note.');
    expect((await upload(bob, bob.account, file)).text).toContain('one was already there');
    expect([await titles(ada), await titles(bob)]).toEqual([['Ours'], ['Ours']]);
    expect((await bob.visitor.get(`/notes/${id}`)).status).toBe(404);
    expect((await ada.visitor.get(`/notes/${id}`)).text).toBe(adas);
  });

  test('half of a surrogate pair in a file is replaced, as a store would do it', async () => {
    const ada = await owner();
    const file = { 'n.json': String.raw`[{"title":"q\ud800","tags":["\ud800","\ud801"]}]` };
    for (const sentence of ['Imported one note.', 'one was already there']) {
      const taken = await upload(ada, ada.account, file);
      expect([taken.status, taken.text]).toEqual([200, expect.stringContaining(sentence)]);
    }
    expect(await titles(ada)).toEqual(['q\uFFFD']);
  });

  test('a file that is imported twice at once is imported once', async () => {
    const ada = await owner();
    const many = Array.from({ length: 1_000 }, (_, at) => ({ title: `n${at}` }));
    const file = { 'n.json': JSON.stringify(many) };
    const both = await Promise.all([0, 1].map(() => upload(ada, ada.account, file)));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { notes } = JSON.parse((await exported(ada)).text) as { notes: unknown[] };
    expect(notes).toHaveLength(1_000);
  });

  test('an import that is too large or invalid is rejected with a sentence, and adds nothing', async () => {
    const ada = await owner();
    const good = { title: 'good' };
    const before = await rows();
    for (const [status, files, sentence] of [
      [422, { 'a.json': '{"notes":[{"title":"good"},' }, 'is not valid JSON'],
      [422, { 'a.json': 'notes' }, 'is not valid JSON'],
      // Each level would need memory.
      [422, { 'a.json': '['.repeat(1_000_000) }, 'is nested too deeply'],
      [422, { 'a.json': `[${'{"a":'.repeat(9)}1${'}'.repeat(9)}]` }, 'is nested too deeply'],
      [
        422,
        { 'a.json': JSON.stringify([good, { title: 'x'.repeat(201) }]) },
        'note 2: title: Use at most',
      ],
      [422, { 'a.json': JSON.stringify([good, 7]) }, 'note 2'],
      [
        422,
        { 'a.json': JSON.stringify([{ title: 'x', updatedAt: '2999-01-01T00:00:00Z' }]) },
        'note 1: updatedAt',
      ],
      [422, { 'a.json': '[]' }, 'There are no notes in these files.'],
      [422, { 'a.txt': 'text' }, 'neither a JSON nor a Markdown file'],
      [422, { 'a.md': new Uint8Array([0xff, 0xfe, 0xfd]) }, 'is not UTF-8 text'],
      [422, { 'good.md': 'good', 'b.md': 'x'.repeat(20_001) }, 'b.md”, note 1: text'],
      [
        413,
        { 'a.json': JSON.stringify(Array.from({ length: 5_001 }, () => good)) },
        'at most 5000 notes',
      ],
      [413, { 'a.md': new Uint8Array(8 * 1024 * 1024 + 1).fill(32) }, '8 MB'],
      [
        413,
        Object.fromEntries(Array.from({ length: 101 }, (_, file) => [`${file}.md`, 'x'])),
        '100 files',
      ],
    ] as const) {
      const response = await upload(ada, ada.account, files);
      expect([sentence, response.status]).toEqual([sentence, status]);
      expect(response.text).toContain(sentence);
    }
    const noForm = await ada.visitor.send('/notes/import', {
      method: 'POST',
      headers: { origin: siteOrigin, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(noForm.status).toBe(400);
    expect(await rows()).toBe(before);
  });

  test('notes are part of the account’s export, and are deleted with the account', async () => {
    const person = await member();
    const visitor = await signedIn(person);
    const ada = { visitor, account: await visitor.accountId() };
    await add(ada, { title: 'Mine', text: 'canary', tags: 'a' });
    const { text } = await visitor.get('/api/account-export');
    expect(JSON.parse(text)).toMatchObject({
      data: { note: [{ title: 'Mine', text: 'canary' }], note_tag: [{ tag: 'a' }] },
    });
    expect(text).not.toContain('search_text');
    // More than a batch.
    const many = Array.from({ length: 1_201 }, (_, at) => ({ title: `n${at}`, tags: ['a', 'b'] }));
    expect((await upload(ada, ada.account, { 'n.json': JSON.stringify(many) })).status).toBe(200);
    const whole = await visitor.get('/api/account-export');
    const { data } = JSON.parse(whole.text) as { data: Record<string, { title?: string }[]> };
    expect(new Set(data['note']?.map(({ title }) => title)).size).toBe(1_202);
    expect([data['note']?.length, data['note_tag']?.length]).toEqual([1_202, 2_403]);

    const gone = await send(ada, '/settings', { intent: 'delete', password: person.password });
    expect(gone.status).toBe(303);
    for (const table of ['note', 'note_tag']) {
      const left =
        await sql`select 1 from ${sql.table(table)} where account_id = ${ada.account}`.execute(
          store(),
        );
      expect(left.rows).toEqual([]);
    }
  });

  test('an account’s export that fails midway is broken off, and does not look complete', async () => {
    const ada = await owner();
    const many = Array.from({ length: 1_201 }, (_, at) => ({ title: `n${at}` }));
    expect((await upload(ada, ada.account, { 'n.json': JSON.stringify(many) })).status).toBe(200);
    const { status, body } = await ada.visitor.respond('/api/account-export');
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('"title"')) text += (await reader?.read())?.value ?? '';
    await sql`alter table note rename to note_away`.execute(store());
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toThrow();
    await sql`alter table note_away rename to note`.execute(store());
    expect(status).toBe(200);
    expect(await titles(ada)).toHaveLength(20);
  });
}
