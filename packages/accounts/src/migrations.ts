/**
 * The tables of accounts. A product's table of personal data has a column `account_id` that
 * references `account.id` with cascading deletes: its rows are then exported and deleted with the
 * account. They are deleted in batches, table by table, so references between these tables must
 * cascade as well. Columns named `search_…` are derived, and excluded from the export.
 */
import type { Kysely } from 'kysely';
import { columnsOf } from '@gatehouse/store';

export const accountMigrations = {
  '2026_11_01_accounts': {
    async up(db: Kysely<unknown>) {
      const { id, timestamp, flag, integer } = columnsOf(db);
      await db.schema
        .createTable('account')
        .addColumn('id', id, (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('email', 'text', (column) => column.notNull().unique())
        .addColumn('emailVerified', flag, (column) => column.notNull())
        .addColumn('image', 'text')
        .addColumn('createdAt', timestamp, (column) => column.notNull())
        .addColumn('updatedAt', timestamp, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('account_session')
        .addColumn('id', id, (column) => column.primaryKey())
        .addColumn('account_id', id, (column) =>
          column.notNull().references('account.id').onDelete('cascade'),
        )
        .addColumn('token', 'text', (column) => column.notNull().unique())
        .addColumn('expiresAt', timestamp, (column) => column.notNull())
        .addColumn('createdAt', timestamp, (column) => column.notNull())
        .addColumn('updatedAt', timestamp, (column) => column.notNull())
        .addColumn('ipAddress', 'text')
        .addColumn('userAgent', 'text')
        .execute();
      await db.schema
        .createTable('account_credential')
        .addColumn('id', id, (column) => column.primaryKey())
        .addColumn('account_id', id, (column) =>
          column.notNull().references('account.id').onDelete('cascade'),
        )
        .addColumn('accountId', 'text', (column) => column.notNull())
        .addColumn('providerId', 'text', (column) => column.notNull())
        // For sign-in with other services, which is not used. The library requires the columns.
        .addColumn('accessToken', 'text')
        .addColumn('refreshToken', 'text')
        .addColumn('idToken', 'text')
        .addColumn('accessTokenExpiresAt', timestamp)
        .addColumn('refreshTokenExpiresAt', timestamp)
        .addColumn('scope', 'text')
        .addColumn('password', 'text')
        .addColumn('createdAt', timestamp, (column) => column.notNull())
        .addColumn('updatedAt', timestamp, (column) => column.notNull())
        .addUniqueConstraint('account_credential_of_provider', ['providerId', 'accountId'])
        .execute();
      await db.schema
        .createTable('account_verification')
        .addColumn('id', id, (column) => column.primaryKey())
        .addColumn('identifier', 'text', (column) => column.notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .addColumn('expiresAt', timestamp, (column) => column.notNull())
        .addColumn('createdAt', timestamp, (column) => column.notNull())
        .addColumn('updatedAt', timestamp, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('account_limit')
        .addColumn('key', 'text', (column) => column.primaryKey())
        .addColumn('points', 'integer', (column) => column.notNull())
        .addColumn('expire', integer)
        .execute();
      for (const [table, column] of indexed) {
        await db.schema.createIndex(`${table}_${column}`).on(table).column(column).execute();
      }
    },
  },
  '2026_11_24_session_expiry': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createIndex('account_session_expiresAt')
        .on('account_session')
        .column('expiresAt')
        .execute();
    },
  },
  '2026_11_29_account_roles': {
    async up(db: Kysely<unknown>) {
      const { id, timestamp } = columnsOf(db);
      await db.schema
        .createTable('account_role')
        .addColumn('account_id', id, (column) =>
          column.notNull().references('account.id').onDelete('cascade'),
        )
        .addColumn('role', 'text', (column) => column.notNull())
        .addColumn('granted_at', timestamp, (column) => column.notNull())
        .addPrimaryKeyConstraint('account_role_once', ['account_id', 'role'])
        .execute();
      // Without a reference: whoever abused a role cannot delete the record with the account.
      await db.schema
        .createTable('role_change')
        .addColumn('id', id, (column) => column.primaryKey())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('role', 'text', (column) => column.notNull())
        .addColumn('change', 'text', (column) => column.notNull())
        .addColumn('changed_by', 'text', (column) => column.notNull())
        .addColumn('changed_at', timestamp, (column) => column.notNull())
        .execute();
    },
  },
  '2026_11_29_mail_outbox': {
    async up(db: Kysely<unknown>) {
      const { id, timestamp } = columnsOf(db);
      await db.schema
        .createTable('mail_outbox')
        .addColumn('id', id, (column) => column.primaryKey())
        .addColumn('sealed', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('due_at', timestamp, (column) => column.notNull())
        .addColumn('created_at', timestamp, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('mail_outbox_due_at')
        .on('mail_outbox')
        .column('due_at')
        .execute();
    },
  },
};

const indexed = [
  ['account_session', 'account_id'],
  ['account_credential', 'account_id'],
  ['account_verification', 'identifier'],
  ['account_limit', 'expire'],
] as const;
