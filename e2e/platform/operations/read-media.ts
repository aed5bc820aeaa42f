/** An uploaded file, complete or by range. */
import { fileAnswer, jsonAnswer } from '@gatehouse/simulator';
import type { SiteOperation } from '../state';

export const readMedia = {
  name: 'media',
  method: 'GET',
  path: '/media/:id',
  run({ persona, state: { media }, params: { id = '' }, headers }) {
    const file = media.find(persona.id, id);
    return file ? fileAnswer(headers, file.content_type, file.body) : noSuchFile;
  },
} as const satisfies SiteOperation;

export const noSuchFile = jsonAnswer(404, { error: 'not_found', message: 'No such file.' });
