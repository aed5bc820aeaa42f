/** Keeps a file. What is broken off never gets here, so it leaves nothing. */
import { jsonAnswer } from '../../harness/internal-api/fault-delivery';
import type { SiteOperation } from '../state';

const contentTypes = ['image/png', 'image/jpeg', 'image/webp', 'video/mp4'];

export const uploadMedia: SiteOperation = {
  name: 'upload',
  method: 'POST',
  path: '/media',
  maxBytes: 100 * 1024 * 1024,
  run({ persona, state: { media }, headers, body }) {
    const contentType = headers['content-type'] ?? '';
    return contentTypes.includes(contentType)
      ? jsonAnswer(201, media.add(persona.id, contentType, body))
      : jsonAnswer(415, { error: 'unsupported_media_type', message: 'No such kind.' });
  },
};
