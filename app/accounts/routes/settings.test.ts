/** Account settings on a file store. */
import { vi } from 'vitest';
import { settingsSuite } from '~/testing/accounts/settings';
import { startSiteWithAccounts } from '~/testing/site-with-accounts';

vi.mock('@gatehouse/server/log', () => import('~/testing/log-double'));
vi.mock('@gatehouse/accounts/mail/mailer', () => import('~/testing/mail-double'));
vi.mock('@gatehouse/accounts/password/cost', () => import('~/testing/cheap-passwords'));

settingsSuite(await startSiteWithAccounts());
