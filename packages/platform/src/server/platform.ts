/** Joins guard, relay and SDK for one site (W07–W13). */
import { createGuard, type GuardedArgs, type GuardFunctions } from './guard.ts';
import type { PassedGuard } from './guard-results.ts';
import { OpenGuard } from './open-guard.ts';
import { createSdkCalls } from './sdk/calls.ts';
import { openResources, type Resource, type SdkOf } from './sdk/operation.ts';
import { PlatformSdkError } from './sdk/sdk-error.ts';
import { createInProcessUpstream } from './upstream/in-process.ts';
import { createUpstream } from './upstream/upstream.ts';
import { createUserRelay, type UserRelay } from './user-relay.ts';

export interface PlatformSettings {
  /** Base URL of the platform's internal API, without a trailing slash. Unused in the demo. */
  internalUrl: string;
  /** W31: no platform, and no call to any address. */
  offlineDemo: boolean;
}

export interface PlatformOptions<Resources extends Record<string, Resource>> {
  /** Called at the first request, so that a build loads the module without settings. */
  settings: () => PlatformSettings;
  /** The operations of the SDK, by resource. */
  operations: Resources;
  /**
   * Loads the simulated platform, which the offline demo runs in this process. Called in the demo
   * only, at each call of the SDK.
   */
  demo: () => Promise<DemoPlatform>;
}

/** A module with the simulated platform. */
export interface DemoPlatform {
  /**
   * Handles a request to the internal API.
   *
   * @param person the visitor's id.
   */
  handle: (request: Request, person: string) => Promise<Response>;
}

export interface Platform<Sdk> extends Omit<GuardFunctions, 'contextOf'>, UserRelay {
  /**
   * Opens the SDK (W12, W13): for a passed guard only, and returning only safe website data. The
   * platform's internals stay in the operations.
   *
   * @param guard passed by `checkPlatformUser` in this request.
   * @throws {TypeError} when the guard was made by anything else.
   * @throws {PlatformSdkError} 502 when the guard passed but the profile is not an object: there is
   *   nobody to act for.
   */
  createPlatformSdk: (guard: PassedGuard, options?: SdkOptions) => Sdk;
  /**
   * Guard and SDK in one: `const { user, sdk } = await requirePlatformSdk(args)`. Takes a loader's or
   * action's arguments, and refuses as `requirePlatformUser` does.
   *
   * @throws {Response}
   */
  requirePlatformSdk: (args: GuardedArgs, options?: SdkOptions) => Promise<OpenGuard<Sdk>>;
}

export interface SdkOptions {
  /**
   * The id of the workspace to act in: for estimates, orders, lists, events, uploads and credits.
   * Operations on one thing's id need none. Without it, the platform uses the one the visitor has
   * chosen.
   */
  workspace?: string | undefined;
  /** Aborts every call, as the visitor's disconnection does. */
  signal?: AbortSignal | undefined;
}

/** The site's one connection to the platform: call it once, at the top of a module. */
export function definePlatform<Resources extends Record<string, Resource>>(
  options: PlatformOptions<Resources>,
): Platform<SdkOf<Resources>> {
  let known: PlatformSettings | undefined;
  const settings = () => (known ??= options.settings());
  const upstream = createUpstream(() => settings().internalUrl);
  const demoOf = (person: string) =>
    createInProcessUpstream(async (request) => (await options.demo()).handle(request, person));
  const { contextOf, ...guard } = createGuard(settings, upstream);

  function createPlatformSdk(passed: PassedGuard, { workspace, signal }: SdkOptions = {}) {
    const context = contextOf(passed);
    const { user } = passed;
    if (typeof user !== 'object' || user === null || Array.isArray(user)) {
      throw new PlatformSdkError(502, 'upstream_unavailable');
    }
    const person = 'id' in user ? String(user.id) : '';
    const signals = [context.signal, signal].filter((each) => each !== undefined);
    const calls = createSdkCalls({
      upstream: settings().offlineDemo ? demoOf(person) : upstream,
      context: signal ? { ...context, signal: AbortSignal.any(signals) } : context,
      workspace,
    });
    return openResources(options.operations, calls);
  }

  return {
    ...guard,
    ...createUserRelay(settings, upstream),
    createPlatformSdk,
    async requirePlatformSdk(args, sdkOptions) {
      const passed = await guard.requirePlatformUser(args);
      return new OpenGuard(passed, () => createPlatformSdk(passed, sdkOptions));
    },
  };
}
