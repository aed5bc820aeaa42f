/**
 * The site's database tables: each product's migrations in one list. If the list is empty, no store
 * is opened.
 */
import type { Migrations } from '@gatehouse/store';
import { accountMigrations } from '@gatehouse/accounts';
import { noteMigrations } from './notes/migrations.server'; // sample: notes

export const migrations: Migrations = {
  ...accountMigrations,
  ...noteMigrations, // sample: notes
};
