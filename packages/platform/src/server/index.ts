/** For loaders and actions: the guard, the relay, and what an SDK's operations are made of. */
export { demoVisitorOf, type DemoVisitor } from './demo-visitor.ts';
export { holdEventStream } from './event-streams.ts';
export type { GuardedArgs, PlatformContext } from './guard.ts';
export * from './guard-results.ts';
export { idempotencyKeyOf } from './idempotency-key.ts';
export type { OpenGuard } from './open-guard.ts';
export { definePlatform } from './platform.ts';
export type { Platform, PlatformOptions, PlatformSettings, SdkOptions } from './platform.ts';
export { rethrow, segmentOf, type ErrorCodes, type SdkCalls } from './sdk/calls.ts';
export { events, type EventsOptions } from './sdk/events.ts';
export { file, identifyUpload, type FileOptions } from './sdk/files.ts';
export {
  body,
  changed,
  items,
  operation,
  page,
  type OperationOptions,
  type Resource,
  type Returns,
  type SdkOf,
} from './sdk/operation.ts';
export { requireSameAccount } from './same-account.ts';
export * from './sdk/sdk-error.ts';
export * from './sdk/sdk-response.ts';
export { readUploadForm, type UploadForm } from './sdk/upload-form.ts';
export { onUpstreamFailure, UpstreamFailure } from './upstream/failures.ts';
export { createUpstream, type Upstream } from './upstream/upstream.ts';
