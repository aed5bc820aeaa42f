/** The same as hooks, which follow the page: they stop when it is left, and when another person signs in. */
export * from './reload';
export * from './sessions';
export * from './use-api';
export * from './use-connection';
export * from './use-download';
export * from './use-draft';
export * from './use-polling';
