/** Notes on PostgreSQL: the suite that `app/notes/notes.test.ts` runs on a file. */
import { afterAll, describe, vi } from 'vitest';
import { notesSuite } from '~/testing/notes/notes-suite';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));

describe.skipIf(!hasPostgres)('with PostgreSQL', async () => {
  if (!hasPostgres) return;
  const databases = await postgresDatabases();
  afterAll(() => databases.stop());
  await notesSuite(() => databases.newDatabase());
});
