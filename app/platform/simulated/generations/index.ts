/** A generation and its progress. */
import { jsonAnswer } from '@gatehouse/simulator';
import type { SiteOperation } from '../state';

export const readGeneration = {
  name: 'status',
  method: 'GET',
  path: '/generations/:id',
  run({ persona, state: { generations }, params: { id = '' } }) {
    const generation = generations.find(persona.id, id);
    return generation ? jsonAnswer(200, generation) : noSuchGeneration;
  },
} as const satisfies SiteOperation;

export const noSuchGeneration = jsonAnswer(404, {
  error: 'not_found',
  message: 'No such generation.',
});
