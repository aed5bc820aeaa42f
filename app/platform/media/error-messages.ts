/** Messages for an upload that is refused (W33). */
import { uploadNames } from './media';

export const mediaMessages = {
  unsupported_media_type: `The platform does not accept this type of file. Accepted: ${uploadNames}.`,
  unsupported_media: 'The platform cannot use this file.',
  infected_media: 'This file may be harmful, so it was not saved.',
};
