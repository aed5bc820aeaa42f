/**
 * A log double for tests to read: `vi.mock('site-server/log', () =>
 * import('~/testing/log-double'))`.
 */
export * from 'site-server/test/log-double';
