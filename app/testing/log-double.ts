/**
 * The log, kept for a test to read: `vi.mock('site-server/log', () => import('~/testing/log-double'))`.
 */
export * from 'site-server/test/log-double';
