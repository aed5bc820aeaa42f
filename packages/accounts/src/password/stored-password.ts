/**
 * The stored hash of a password. Hashing takes long, in a queue up to ten seconds: what was verified
 * against the hash holds only if the hash is still the same afterwards.
 */
import type { Kysely } from 'kysely';
import type { Account } from '../guard.ts';
import type { AccountsSite } from '../site.ts';
import type { AccountTables } from '../tables.ts';

/** Hashes are salted, so an unchanged hash means that the password was not set again in between. */
export async function findPasswordHash(site: AccountsSite, email: string): Promise<string | null> {
  const found = await site
    .store<AccountTables>()
    .selectFrom('account')
    .innerJoin('account_credential', 'account_credential.account_id', 'account.id')
    .select('account_credential.password')
    .where('account.email', '=', email)
    .where('providerId', '=', 'credential')
    .executeTakeFirst();
  return found?.password ?? null;
}

/**
 * Replaces a password, unless it was changed or this session was ended in the meantime: a password
 * reset must also stop requests already in progress in the sessions that it ends.
 *
 * @param hashes `known` of the password that it replaces.
 * @returns whether it was replaced.
 */
export async function replacePassword(
  db: Kysely<AccountTables>,
  { id, sessionId }: Account,
  { known, hash }: { known: string | null; hash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account_credential')
    .set({ password: hash, updatedAt: new Date() })
    .where('account_id', '=', id)
    .where('providerId', '=', 'credential')
    .where('password', '=', known)
    .where((eb) =>
      eb.exists(eb.selectFrom('account_session').select('id').where('id', '=', sessionId)),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
