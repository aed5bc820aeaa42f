/** The SDK port: what routes may ask of the platform, whichever adapter answers. A resource is a folder. */
import type { Credits } from './credits/port.server';
import type { Generations } from './generations/port.server';
import type { MediaFiles } from './media/port.server';
import type { Workspaces } from './workspaces/port.server';

export { PlatformSdkError, type FilePart, type PlatformFile } from './sdk-error.server';

/** Every method throws `PlatformSdkError` and nothing else that the platform causes. */
export interface PlatformSdk {
  generations: Generations;
  media: MediaFiles;
  workspaces: Workspaces;
  credits: Credits;
}
