/** Deletes expired sessions, which nobody ended. */
import type { AccountsSite } from '../site.ts';
import type { AccountTables } from '../tables.ts';

/** More than a sign-in adds, so that they do not accumulate. */
const atOnce = 20;

/** Deletes a few expired sessions of any account, the oldest first. */
export async function deleteExpiredSessions(site: AccountsSite): Promise<void> {
  await site
    .store<AccountTables>()
    .deleteFrom('account_session')
    .where('id', 'in', (of) =>
      of
        .selectFrom('account_session')
        .select('id')
        .where('expiresAt', '<', new Date())
        .orderBy('expiresAt')
        .limit(atOnce),
    )
    .execute();
}
