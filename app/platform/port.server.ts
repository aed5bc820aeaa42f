/**
 * The SDK port: what routes may ask of the platform, whichever adapter responds. One folder per
 * resource.
 */
import type { Credits } from './credits/port.server';
import type { Generations } from './generations/port.server';
import type { MediaFiles } from './media/port.server';
import type { Workspaces } from './workspaces/port.server';

/** Every method throws `PlatformSdkError`, and nothing else for a failure of the platform. */
export interface PlatformSdk {
  generations: Generations;
  media: MediaFiles;
  workspaces: Workspaces;
  credits: Credits;
}
