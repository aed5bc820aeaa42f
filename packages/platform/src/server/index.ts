/** For loaders and actions: the guard, the relay, and what an SDK's operations are made of. */
export { demoVisitorOf, type DemoVisitor } from './demo-visitor';
export { holdEventStream } from './event-streams';
export type { GuardedArgs, PlatformContext } from './guard';
export * from './guard-results';
export { definePlatform } from './platform';
export type { Platform, PlatformOptions, PlatformSettings, SdkOptions } from './platform';
export { rethrow, segmentOf, type ErrorCodes, type SdkCalls } from './sdk/calls';
export { createFileReader } from './sdk/files';
export { identifyUpload } from './sdk/media-type';
export * from './sdk/sdk-error';
export * from './sdk/sdk-response';
export { onUpstreamFailure, UpstreamFailure } from './upstream/failures';
export { createUpstream, type Upstream } from './upstream/upstream';
