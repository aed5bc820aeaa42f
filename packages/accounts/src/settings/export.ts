/**
 * Everything the site stores about an account, as JSON: the rows of every table with a column
 * `account_id`, whichever product it belongs to.
 */
import { textStream } from '@gatehouse/frame/server';
import type { Account } from '../guard.ts';
import { listSessions } from '../session/sessions.ts';
import type { AccountsSite } from '../site.ts';
import type { AccountTables } from '../tables.ts';
import { chunkTable, fileTable, pagesOfRows, productTables, type Row } from './account-rows.ts';

/** Streams the export. Rejects if the store is unavailable at the beginning. */
export async function exportAccount(
  site: AccountsSite,
  { id }: Account,
): Promise<ReadableStream<Uint8Array>> {
  const { emailVerified, ...account } = await site
    .store<AccountTables>()
    .selectFrom('account')
    .select(['id', 'name', 'email', 'emailVerified', 'createdAt', 'updatedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const head = {
    account: { ...account, emailVerified: Boolean(emailVerified) },
    sessions: await listSessions(site, id),
  };
  const tables = await productTables(site);
  const listed = tables.filter((table) => table !== chunkTable);
  return textStream(piecesOf(site, head, id, listed));
}

/** The head with the rows by table in `data`, as pieces of one JSON text. */
async function* piecesOf(
  site: AccountsSite,
  head: object,
  accountId: string,
  tables: readonly string[],
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"data":{`;
  let before = '';
  for (const table of tables) {
    yield `${before}${JSON.stringify(table)}:[`;
    yield* rowsOf(site, table, accountId);
    yield ']';
    before = ',\n';
  }
  yield '}}\n';
}

async function* rowsOf(
  site: AccountsSite,
  table: string,
  accountId: string,
): AsyncGenerator<string> {
  let before = '';
  for await (const rows of pagesOfRows(site, table, accountId)) {
    const texts = rows.flatMap((row) => {
      const kept = table === fileTable ? exportedFile(site, row) : row;
      return kept ? [JSON.stringify(exported(kept))] : [];
    });
    if (texts.length === 0) continue;
    yield before + texts.join(',\n');
    before = ',\n';
  }
}

/** A complete file, with the address of its bytes: a page of JSON is no place for them. Null for a part of one. */
function exportedFile({ fileAddress, settings }: AccountsSite, row: Row): Row | null {
  const { state, touched_at: _touched, ...file } = row;
  if (state !== 'ready') return null;
  if (!fileAddress) return file;
  const path = fileAddress({ kind: String(file['kind']), id: String(file['id']) });
  return { ...file, address: new URL(path, settings().siteOrigin).href };
}

function exported(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !isLeftOut(column)));
}

/** The foreign key, and columns derived for search. */
function isLeftOut(column: string): boolean {
  return column === 'account_id' || column.startsWith('search_');
}
