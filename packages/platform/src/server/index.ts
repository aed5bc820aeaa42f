/** For loaders and actions: the guard, the relay, and the calls of an SDK. */
export * from './demo-visitor';
export * from './event-streams';
export * from './guard';
export * from './sdk/calls';
export * from './sdk/files';
export * from './sdk/media-type';
export * from './sdk/sdk-error';
export * from './sdk/sdk-response';
export * from './upstream/call';
export * from './upstream/failures';
export * from './upstream/stream';
export * from './user-relay';
