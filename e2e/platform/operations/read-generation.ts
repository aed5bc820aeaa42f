/** How far a picture is. */
import { jsonAnswer } from '../../harness/internal-api/fault-delivery';
import type { SiteOperation } from '../state';

export const readGeneration: SiteOperation = {
  name: 'status',
  method: 'GET',
  path: '/generations/:id',
  run({ persona, state: { generations }, params: { id = '' } }) {
    const generation = generations.find(persona.id, id);
    return generation ? jsonAnswer(200, generation) : noSuchGeneration;
  },
};

export const noSuchGeneration = jsonAnswer(404, {
  error: 'not_found',
  message: 'No such generation.',
});
