/** Removes a generation from the list. It can be restored for ten minutes. */
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
