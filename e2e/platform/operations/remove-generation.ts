/** Takes a generation out of the list. For ten minutes it can be restored. */
import { noSuchGeneration } from './read-generation';
import type { SiteOperation } from '../state';

export const removeGeneration = {
  name: 'remove',
  method: 'DELETE',
  path: '/generations/:id',
  run: ({ persona, state, params: { id = '' } }) =>
    state.generations.remove(persona.id, id)
      ? { status: 204, contentType: null, body: Buffer.alloc(0) }
      : noSuchGeneration,
} as const satisfies SiteOperation;
