/** Stands in for the declarations of the installed package. */
export interface SafeProfile {
  key: string;
  displayName: string | null;
}
export declare function toSafeProfile(user: unknown): SafeProfile;
export declare function loginAddress(returnPath: string): string;
