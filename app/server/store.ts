/** `npm run store -- backup FILE` and `npm run store -- restore FILE`: the file store of `DATABASE_URL`. */
import { siteEnv } from '~/env.server';
import { BackupError, backUp, restore } from '~/store/backup.server';
import { storeFile } from '~/store/store.server';

const [command, file, ...rest] = process.argv.slice(2);
try {
  process.stdout.write(`${await run()}\n`);
} catch (error) {
  const isTold =
    error instanceof BackupError || (error instanceof Error && error.name === 'SettingError');
  if (!isTold) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function run(): Promise<string> {
  if ((command !== 'backup' && command !== 'restore') || file === undefined || rest.length > 0) {
    throw new BackupError('Say `npm run store -- backup FILE` or `npm run store -- restore FILE`.');
  }
  const { databaseUrl } = siteEnv();
  if (!databaseUrl.startsWith('file:')) {
    throw new BackupError('DATABASE_URL names PostgreSQL: use pg_dump and pg_restore.');
  }
  const store = storeFile(databaseUrl);
  if (command === 'backup') {
    await backUp(store, file);
    return `${store} is kept as ${file}.`;
  }
  const replaced = await restore(store, file);
  return `${store} is ${file} again.${replaced === undefined ? '' : ` What was there is ${replaced}.`}`;
}
