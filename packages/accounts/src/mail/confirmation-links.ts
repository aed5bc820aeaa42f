/**
 * Links that confirm an address. The library signs them and stores nothing, so it could not revoke
 * one: a thief's link would change the address of an account whose password was reset meanwhile.
 * Here each link has a row, and is valid only while the row exists.
 */
import type { Kysely } from 'kysely';
import { newId } from '@gatehouse/store';
import { digestOf } from '../session/token-digests.ts';
import type { AccountsSite } from '../site.ts';
import type { AccountTables } from '../tables.ts';

export interface LinkOwner {
  id: string;
  name: string;
  /** The address before the link is used. */
  email: string;
}

export async function storeLink(
  db: Kysely<AccountTables>,
  accountId: string,
  token: string,
  seconds: number,
): Promise<void> {
  const now = new Date();
  await db
    .insertInto('account_verification')
    .values({
      id: newId(),
      identifier: identifierOf(token),
      value: accountId,
      expiresAt: new Date(now.getTime() + seconds * 1_000),
      createdAt: now,
      updatedAt: now,
    })
    .execute();
}

/** The account that a link belongs to, if it was not revoked. The library checks its expiry. */
export function findLinkOwner(site: AccountsSite, token: string): Promise<LinkOwner | undefined> {
  return site
    .store<AccountTables>()
    .selectFrom('account_verification')
    .innerJoin('account', 'account.id', 'account_verification.value')
    .select(['account.id', 'account.name', 'account.email'])
    .where('identifier', '=', identifierOf(token))
    .executeTakeFirst();
}

/** Revokes every link mailed to an account: those that confirm an address and those for a password. */
export async function revokeLinks(db: Kysely<AccountTables>, accountId: string): Promise<void> {
  await db.deleteFrom('account_verification').where('value', '=', accountId).execute();
}

function identifierOf(token: string): string {
  return digestOf(`confirm-address:${token}`);
}
