/** Account settings on a file store. */
import { vi } from 'vitest';
import { settingsSuite } from '~/testing/accounts/settings';
import { startSiteWithAccounts } from '~/testing/site-with-accounts';

vi.mock('@gatehouse/server/log', () => import('~/testing/log-double'));
vi.mock('~/accounts/mail/mailer.server', () => import('~/testing/mail-double'));
vi.mock('~/accounts/password/cost.server', () => import('~/testing/cheap-passwords'));

settingsSuite(await startSiteWithAccounts());
