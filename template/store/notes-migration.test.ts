/** Notes in a PostgreSQL database that an earlier version wrote: `app/notes/migrations.test.ts` has it for a file. */
import { afterAll, describe } from 'vitest';
import { migratedNotes } from '~/testing/notes/migrated';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';

describe.skipIf(!hasPostgres)('with PostgreSQL', async () => {
  if (!hasPostgres) return;
  const databases = await postgresDatabases();
  afterAll(() => databases.stop());
  migratedNotes(() => databases.newDatabase());
});
