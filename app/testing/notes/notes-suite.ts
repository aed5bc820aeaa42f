/**
 * The tests of notes over HTTP, for either database. Called by test files that mock the accounts'
 * dependencies.
 */
import { sql } from 'kysely';
import { expect } from 'vitest';
import { store } from '~/store.server';
import { startSiteWithAccounts, type Browser } from '../site-with-accounts';
import { siteOrigin } from '../whole-site';
import { accessToNotes } from './access';
import { findingNotes } from './finding';
import { importingNotes } from './importing';
import { markdownFiles } from './markdown-files';
import { roundTripOfNotes } from './round-trip';
import { searchingNotes } from './searching';
import { notesInFiles } from './transfer';
import { unreadableFiles } from './unreadable-files';
import { writingNotes } from './writing';

interface Owner {
  visitor: Browser;
  account: string;
}

/** A note in an export as JSON. */
export interface ExportedNote {
  title: string;
  text: string;
  tags: string[];
  pinned: boolean;
  createdAt: string;
  updatedAt: string;
}

/** Actions on notes, through the pages' own forms and addresses. */
export type NotesSite = Awaited<ReturnType<typeof startNotes>>;

/** @param address see `startSiteWithAccounts`. */
export async function notesSuite(address?: () => Promise<string>): Promise<NotesSite> {
  const site = await startNotes(address);
  findingNotes(site);
  searchingNotes(site);
  writingNotes(site);
  accessToNotes(site);
  notesInFiles(site);
  importingNotes(site);
  unreadableFiles(site);
  markdownFiles(site);
  roundTripOfNotes(site);
  return site;
}

async function startNotes(address?: () => Promise<string>) {
  const { browser, member, signedIn } = await startSiteWithAccounts(address);

  let owners = 0;
  // Each from an address of its own: sign-ups from one are limited.
  const owner = async (): Promise<Owner> => {
    const from = `198.51.100.${++owners}`;
    const visitor = await signedIn(await member(from), from);
    return { visitor, account: await visitor.accountId() };
  };
  const send = ({ visitor, account }: Owner, path: string, fields: Record<string, string>) =>
    visitor.post(path, { account, ...fields });
  const add = async (who: Owner, fields: Record<string, string>): Promise<string> => {
    const id = crypto.randomUUID();
    const added = await send(who, '/notes', { intent: 'add', id, ...fields });
    expect([added.status, added.location]).toEqual([303, `/notes?added=${id}`]);
    return id;
  };
  const titles = async ({ visitor }: Owner, query = ''): Promise<string[]> => {
    const { status, text } = await visitor.get(`/notes${query}`);
    expect([query, status]).toEqual([query, 200]);
    return [...text.matchAll(/<h2 id="note-[^"]+"[^>]*><a[^>]*>([^<]*)</g)].map(
      ([, title]) => title ?? '',
    );
  };
  const rows = async () =>
    JSON.stringify(
      await Promise.all(
        ['note', 'note_tag'].map(async (table) => {
          const { rows } = await sql`select * from ${sql.table(table)}`.execute(store());
          return rows.map((row) => JSON.stringify(row)).sort();
        }),
      ),
    );
  const upload = async (
    { visitor }: Owner,
    account: string,
    files: Record<string, string | Uint8Array>,
  ) => {
    const form = new FormData();
    form.set('account', account);
    for (const [name, content] of Object.entries(files)) {
      form.append('files', new File([content as BlobPart], name));
    }
    const sent = new Response(form);
    return visitor.send('/notes/import', {
      method: 'POST',
      headers: { origin: siteOrigin, 'content-type': sent.headers.get('content-type') ?? '' },
      body: await sent.arrayBuffer(),
    });
  };
  const exported = async ({ visitor }: Owner, format = 'json') =>
    visitor.get(`/api/notes/export?format=${format}`);

  /** The account’s notes after an import that replaces them. */
  const imported = async (
    who: Owner,
    files: Record<string, string | Uint8Array>,
  ): Promise<ExportedNote[]> => {
    await sql`delete from note where account_id = ${who.account}`.execute(store());
    const { status, text } = await upload(who, who.account, files);
    expect([problemsIn(text), status]).toEqual([[], 200]);
    const { notes } = JSON.parse((await exported(who)).text) as { notes: ExportedNote[] };
    return notes;
  };

  return {
    browser,
    member,
    signedIn,
    owner,
    send,
    add,
    titles,
    rows,
    upload,
    exported,
    imported,
    problemsIn,
  };
}

/** The sentences of the import form’s error, of which several are a list. */
function problemsIn(page: string): string[] {
  const [, error = ''] = /<div id="files-error"[^>]*>(.*?)<\/div>/s.exec(page) ?? [];
  const items = [...error.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, item = '']) => item);
  return items.length > 0 ? items : [error].filter(Boolean);
}
