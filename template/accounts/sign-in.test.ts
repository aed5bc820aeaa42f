/** Signing up, in and out on a file store. */
import { vi } from 'vitest';
import { signInSuite } from './sign-in-suite';
import { startSiteWithAccounts } from '~/testing/site-with-accounts';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));

signInSuite(await startSiteWithAccounts());
