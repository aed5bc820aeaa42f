/**
 * A log double for tests to read: `vi.mock('@gatehouse/server/log', () =>
 * import('~/testing/log-double'))`.
 */
export * from '@gatehouse/server/testing/log-double';
