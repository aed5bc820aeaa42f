/** Attacks on accounts, with the store in a file. `../postgres.test.ts` runs them on PostgreSQL. */
import { vi } from 'vitest';
import { startSiteWithAccounts } from '~/testing/site-with-accounts';
import { everyAttack } from './every-attack';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));

everyAttack(await startSiteWithAccounts());
