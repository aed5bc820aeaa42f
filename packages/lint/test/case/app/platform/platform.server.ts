/** Stands in for the platform's boundary, so that the tests pass in a site without it. */
export interface PassedGuard {
  readonly ok: true;
  readonly user: unknown;
}
export interface SafeProfile {
  key: string;
  displayName: string | null;
}
export interface PlatformSdk {
  submit(input: { prompt: string; reference?: string }): Promise<void>;
}
export declare function requirePlatformUser(args: object): Promise<PassedGuard>;
export declare function toSafeProfile(user: unknown): SafeProfile;
export declare function createPlatformSdk(guard: PassedGuard): PlatformSdk;
