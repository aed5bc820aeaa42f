/**
 * Everything the site stores about an account: the rows of every table with a column `account_id`,
 * whichever product it belongs to.
 */
import { sql } from 'kysely';
import { store } from '~/store/store.server';
import type { Account } from '../account.server';
import { listSessions } from '../session/sessions.server';
import type { AccountTables } from '../tables.server';

export interface AccountExport {
  account: Record<string, unknown>;
  sessions: unknown[];
  /** Rows by table. */
  data: Record<string, unknown[]>;
}

/** Not exported as rows: credentials are hashes, and sessions are exported in readable form. */
const ownTables = ['account_session', 'account_credential'];

export async function exportAccount({ id }: Account): Promise<AccountExport> {
  const db = store<AccountTables>();
  const { emailVerified, ...account } = await db
    .selectFrom('account')
    .select(['id', 'name', 'email', 'emailVerified', 'createdAt', 'updatedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const data: Record<string, unknown[]> = {};
  for (const { name, columns } of await db.introspection.getTables()) {
    const isTheirs = columns.some((column) => column.name === 'account_id');
    if (!isTheirs || ownTables.includes(name)) continue;
    const { rows } = await sql<
      Record<string, unknown>
    >`select * from ${sql.table(name)} where account_id = ${id}`.execute(db);
    data[name] = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !isLeftOut(column))),
    );
  }
  return {
    account: { ...account, emailVerified: Boolean(emailVerified) },
    sessions: await listSessions(id),
    data,
  };
}

/** The foreign key, and columns derived for search. */
function isLeftOut(column: string): boolean {
  return column === 'account_id' || column.startsWith('search_');
}
