/**
 * Roles of accounts. A role belongs to an account, not to an address: whoever signs up with the address of a deleted
 * account has none. Every change is recorded, and stays recorded when the account is deleted.
 */
import type { Kysely } from 'kysely';
import { newId, readTimestamp } from '@gatehouse/store';
import type { AccountsSite } from '../site.ts';
import type { AccountTables } from '../tables.ts';

export type RoleChange =
  | { ok: true; account: RoleAccount; isChanged: boolean }
  | { ok: false; reason: 'no-account' | 'unverified' | 'needs-id' };

interface RoleAccount {
  id: string;
  email: string;
}

/** Its roles, of those that the site declares. A site without roles queries nothing. */
export async function rolesOf(site: AccountsSite, accountId: string): Promise<string[]> {
  const { roles = [] } = site;
  if (roles.length === 0) return [];
  const rows = await site
    .store<AccountTables>()
    .selectFrom('account_role')
    .select('role')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(({ role }) => role).filter((role) => roles.includes(role));
}

/**
 * Grants a role. An address counts only once its owner has confirmed it. Without mail nobody can, and anybody may have signed
 * up with it: then only an id names an account.
 *
 * @param named an e-mail address or an id.
 * @param by who grants it, for the record.
 */
export function grantRole(
  site: AccountsSite,
  { named, role, by }: { named: string; role: string; by: string },
): Promise<RoleChange> {
  const sendsMail = site.settings().smtpUrl !== null;
  return changed(site, named, async (write, { id, emailVerified }) => {
    if (!sendsMail && named.includes('@')) return { ok: false, reason: 'needs-id' };
    if (sendsMail && !emailVerified) return { ok: false, reason: 'unverified' };
    const now = new Date();
    const { numInsertedOrUpdatedRows = 0n } = await write
      .insertInto('account_role')
      .values({ account_id: id, role, granted_at: now })
      .onConflict((conflict) => conflict.columns(['account_id', 'role']).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return { ok: true, isChanged: false };
    await record(write, { subject: id, role, change: 'granted', changed_by: by, changed_at: now });
    return { ok: true, isChanged: true };
  });
}

/** Withdraws a role: from the next request on, in every session. */
export function withdrawRole(
  site: AccountsSite,
  { named, role, by }: { named: string; role: string; by: string },
): Promise<RoleChange> {
  return changed(site, named, async (write, { id }) => {
    const { numDeletedRows } = await write
      .deleteFrom('account_role')
      .where('account_id', '=', id)
      .where('role', '=', role)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return { ok: true, isChanged: false };
    const change = { subject: id, role, change: 'withdrawn', changed_by: by } as const;
    await record(write, { ...change, changed_at: new Date() });
    return { ok: true, isChanged: true };
  });
}

/** Who has which role. */
export async function listRoles(site: AccountsSite) {
  const rows = await site
    .store<AccountTables>()
    .selectFrom('account_role')
    .innerJoin('account', 'account.id', 'account_role.account_id')
    .select(['account.id', 'account.email', 'role', 'granted_at'])
    .orderBy('role')
    .orderBy('account.email')
    .execute();
  return rows.map(({ granted_at, ...row }) => ({ ...row, at: readTimestamp(granted_at) }));
}

/** Every grant and withdrawal, oldest first. */
export async function listRoleChanges(site: AccountsSite) {
  const rows = await site
    .store<AccountTables>()
    .selectFrom('role_change')
    .leftJoin('account', 'account.id', 'role_change.subject')
    .select(['subject', 'account.email', 'role', 'change', 'changed_by', 'changed_at'])
    .orderBy('changed_at')
    .orderBy('role_change.id')
    .execute();
  return rows.map(({ changed_at, ...row }) => ({ ...row, at: readTimestamp(changed_at) }));
}

type Made = { ok: true; isChanged: boolean } | Extract<RoleChange, { ok: false }>;

async function changed(
  site: AccountsSite,
  named: string,
  work: (
    write: Kysely<AccountTables>,
    account: RoleAccount & { emailVerified: boolean | number },
  ) => Promise<Made>,
): Promise<RoleChange> {
  const isAddress = named.includes('@');
  return site
    .store<AccountTables>()
    .transaction()
    .execute(async (write) => {
      // A write, so that the account can neither be deleted nor change its address until the end.
      const account = await write
        .updateTable('account')
        .set((of) => ({ name: of.ref('name') }))
        .where(isAddress ? 'email' : 'id', '=', isAddress ? named.toLowerCase() : named)
        .returning(['id', 'email', 'emailVerified'])
        .executeTakeFirst();
      if (!account) return { ok: false, reason: 'no-account' };
      const made = await work(write, account);
      const { id, email } = account;
      return made.ok ? { ...made, account: { id, email } } : made;
    });
}

async function record(
  write: Kysely<AccountTables>,
  row: Omit<AccountTables['role_change'], 'id' | 'changed_at'> & { changed_at: Date },
): Promise<void> {
  await write
    .insertInto('role_change')
    .values({ id: newId(), ...row })
    .execute();
}
