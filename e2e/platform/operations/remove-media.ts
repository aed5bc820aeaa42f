/** Deletes an uploaded file. */
import { noSuchFile } from './read-media';
import type { SiteOperation } from '../state';

export const removeMedia = {
  name: 'remove-media',
  method: 'DELETE',
  path: '/media/:id',
  run: ({ persona, state: { media }, params: { id = '' } }) =>
    media.remove(persona.id, id)
      ? { status: 204, contentType: null, body: Buffer.alloc(0) }
      : noSuchFile,
} as const satisfies SiteOperation;
