/** All that the site keeps of an account. Each table with a column `account_id` is in it, whatever product made it. */
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

/** Digests and hashes are nothing to carry away. Sessions are told in words of their own. */
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

/** The key, and what is made of other columns for a search. */
function isLeftOut(column: string): boolean {
  return column === 'account_id' || column.startsWith('search_');
}
