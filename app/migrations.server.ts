/**
 * The tables of the site: each product's migrations, spread into one list. A site without any keeps nothing, and no
 * store is opened for it.
 */
import type { Migrations } from '~/store/migrate.server';
import { accountMigrations } from './accounts/migrations.server';
import { noteMigrations } from './notes/migrations.server'; // sample: notes

export const migrations: Migrations = {
  ...accountMigrations,
  ...noteMigrations, // sample: notes
};
