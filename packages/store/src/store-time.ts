/** What time it is, the same for all processes of a store. */
import { sql, type Kysely } from 'kysely';
import { readTimestamp, storeKind } from './columns.ts';

/** The time of the PostgreSQL server, since the machines of several processes may disagree; a file is on one machine, whose time it is. */
export async function storeTime(db: Pick<Kysely<unknown>, 'getExecutor'>): Promise<Date> {
  if (storeKind(db) === 'sqlite') return new Date();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return readTimestamp(rows[0]?.now ?? new Date());
}
