/** Restores a removed generation. */
import { jsonAnswer } from '@gatehouse/simulator';
import { noSuchGeneration } from './read-generation';
import type { SiteOperation } from '../state';

export const restoreGeneration = {
  name: 'restore',
  method: 'POST',
  path: '/generations/:id/restore',
  run({ persona, state, params: { id = '' } }) {
    const restored = state.generations.restore(persona.id, id);
    return restored ? jsonAnswer(200, restored) : noSuchGeneration;
  },
} as const satisfies SiteOperation;
