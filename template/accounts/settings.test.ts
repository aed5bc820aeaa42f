/** Account settings on a file store. */
import { vi } from 'vitest';
import { settingsSuite } from './settings-suite';
import { startSiteWithAccounts } from '~/testing/site-with-accounts';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));

settingsSuite(await startSiteWithAccounts());
