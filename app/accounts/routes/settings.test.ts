/** Account settings on a file store. */
import { vi } from 'vitest';
import { settingsSuite } from '~/testing/accounts/settings';
import { startSiteWithAccounts } from '~/testing/site-with-accounts';

vi.mock('@gatehouse/server/log', () => import('~/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));

settingsSuite(await startSiteWithAccounts());
