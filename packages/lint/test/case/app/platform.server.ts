/** Stands in for the site's boundary, so that the tests pass in a site without it. */
import { definePlatform } from '../installed/@gatehouse/platform/server';

export interface PlatformSdk {
  submit(input: { prompt: string; reference?: string }): Promise<void>;
}
export const { checkPlatformUser, createPlatformSdk, requirePlatformSdk, requirePlatformUser } =
  definePlatform<PlatformSdk>({});
