/** The picture itself, whole or in part. */
import { fileAnswer, jsonAnswer } from '../../harness/internal-api/fault-delivery';
import type { SiteOperation } from '../state';
import { noSuchGeneration } from './read-generation';

export const readOutput: SiteOperation = {
  name: 'output',
  method: 'GET',
  path: '/generations/:id/output',
  run({ persona, state: { generations }, params: { id = '' }, headers }) {
    if (!generations.find(persona.id, id)) return noSuchGeneration;
    const picture = generations.output(persona.id, id);
    return picture
      ? fileAnswer(headers, 'image/png', picture)
      : jsonAnswer(409, { error: 'not_ready', message: 'The picture is not ready.' });
  },
};
