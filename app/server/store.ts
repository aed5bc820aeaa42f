/**
 * `npm run store -- backup FILE` and `npm run store -- restore FILE`, for the file store in
 * `DATABASE_URL`.
 */
import { readSettings } from '@gatehouse/server/settings';
import { accounts } from '~/settings.server';
import { BackupError, backUp, restore } from '@gatehouse/store/backup';
import { storeFile } from '@gatehouse/store';

const [command, file, ...rest] = process.argv.slice(2);
try {
  process.stdout.write(`${await run()}\n`);
} catch (error) {
  const isReported =
    error instanceof BackupError || (error instanceof Error && error.name === 'SettingError');
  if (!isReported) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function run(): Promise<string> {
  if ((command !== 'backup' && command !== 'restore') || file === undefined || rest.length > 0) {
    throw new BackupError('Usage: npm run store -- backup FILE, or npm run store -- restore FILE.');
  }
  // Whoever restores a backup may have no other setting of the site.
  const { databaseUrl } = accounts;
  const { databaseUrl: address } = readSettings({ store: { databaseUrl } }, process.env);
  if (!address.startsWith('file:')) {
    throw new BackupError('DATABASE_URL is a PostgreSQL database: use pg_dump and pg_restore.');
  }
  const store = storeFile(address);
  if (command === 'backup') {
    await backUp(store, file);
    return `Backed up ${store} to ${file}.`;
  }
  const replaced = await restore(store, file);
  return `Restored ${store} from ${file}.${replaced === undefined ? '' : ` The previous store was moved to ${replaced}.`}`;
}
