/** The ids of the test users' accounts in the store. */
import type { Account } from '../people/people.ts';
import { keysOf, quoted, type Query } from './store.ts';

/**
 * The ids of an account, asked anew each time, because one that was deleted and has signed up again has another. Its row is
 * the one that an e-mail address identifies: other tables may have the address as well.
 */
export function accountIds(query: Query): (account: Pick<Account, 'email'>) => unknown[] {
  let columns: { table: string; column: string }[] = [];
  return ({ email }) => {
    const rowsIn = ({ table, column }: { table: string; column: string }) =>
      query(`select id from ${quoted(table)} where ${quoted(column)} = ?`, [email]);
    if (columns.length === 0) {
      const tables = query(
        `select name from pragma_table_list where schema = 'main' and type = 'table'`,
      );
      columns = tables
        .flatMap(({ name }) =>
          keysOf(String(name), query).map((column) => ({ table: String(name), column })),
        )
        .filter(({ table }) => hasId(table))
        .filter((key) => rowsIn(key).length > 0);
    }
    return columns.flatMap((key) => rowsIn(key).map(({ id }) => id));
  };

  function hasId(table: string): boolean {
    return query(`select 1 from pragma_table_info(?) where name = 'id'`, [table]).length > 0;
  }
}
