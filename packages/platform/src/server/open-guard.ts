/** A passed guard and what it opens, as `requirePlatformSdk` returns it. */
import { toSafeProfile, type SafeProfile } from '../profile.ts';
import type { PassedGuard } from './guard-results.ts';

/**
 * Read by destructuring: `const { user, sdk } = await requirePlatformSdk(args)`. Private fields, so
 * that only the guard makes one, and a response that contains it by mistake carries no profile.
 */
export class OpenGuard<Sdk> {
  readonly #passed: PassedGuard;
  readonly #open: () => Sdk;
  #user: SafeProfile | undefined;
  #sdk: Sdk | undefined;

  constructor(passed: PassedGuard, open: () => Sdk) {
    this.#passed = passed;
    this.#open = open;
  }

  /**
   * The visitor, as a page may learn of them (W20): never the platform's whole profile, which
   * `requirePlatformUser` has. Nameless, with an empty key, if the profile identifies nobody (W08).
   */
  get user(): SafeProfile {
    return (this.#user ??= toSafeProfile(this.#passed.user));
  }

  /**
   * Made when it is first read.
   *
   * @throws {PlatformSdkError} 502 when the guard passed but there is nobody to act for.
   */
  get sdk(): Sdk {
    return (this.#sdk ??= this.#open());
  }
}
