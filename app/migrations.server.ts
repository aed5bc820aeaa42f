/** The site's database tables: the migrations of each product. One line each. */
export { accountMigrations as accounts } from '@gatehouse/accounts';
export { noteMigrations as notes } from './notes/migrations.server';
