/** `npm run store -- backup FILE` and `npm run store -- restore FILE`, for the file store in `DATABASE_URL`. */
import { readSettings } from '@gatehouse/server/settings';
import { runStoreCommand } from '@gatehouse/store/backup';
import { accounts } from '~/settings.server';

// Whoever restores a backup may have no other setting of the site.
const { databaseUrl } = accounts;
await runStoreCommand(
  process.argv.slice(2),
  () => readSettings({ store: { databaseUrl } }, process.env).databaseUrl,
);
