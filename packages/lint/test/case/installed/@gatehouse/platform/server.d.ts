/** Stands in for the declarations of the installed package. */
import type { SafeProfile } from './index';

export interface PassedGuard {
  readonly ok: true;
  readonly user: unknown;
}
export interface FailedGuard {
  readonly ok: false;
  readonly status: number;
  readonly body: unknown;
}
export interface OpenGuard<Sdk> {
  readonly user: SafeProfile;
  readonly sdk: Sdk;
}
export interface Platform<Sdk> {
  checkPlatformUser: (context: object) => Promise<PassedGuard | FailedGuard>;
  requirePlatformUser: (args: object) => Promise<PassedGuard>;
  requirePlatformSdk: (args: object, options?: object) => Promise<OpenGuard<Sdk>>;
  createPlatformSdk: (guard: PassedGuard) => Sdk;
}
export declare function definePlatform<Sdk>(options: object): Platform<Sdk>;
