/**
 * Everything the site stores about an account, as JSON: the rows of every table with a column
 * `account_id`, whichever product it belongs to.
 */
import { textStream } from '@gatehouse/frame/server';
import type { Account } from '../guard.ts';
import { listSessions } from '../session/sessions.ts';
import type { AccountsSite } from '../site.ts';
import type { AccountTables } from '../tables.ts';
import { chunkTable, pagesOfRows, productTables } from './account-rows.ts';

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
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(exported(row))).join(',\n');
    before = ',\n';
  }
}

function exported(row: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !isLeftOut(column)));
}

/** The foreign key, and columns derived for search. */
function isLeftOut(column: string): boolean {
  return column === 'account_id' || column.startsWith('search_');
}
