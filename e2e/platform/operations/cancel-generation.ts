/** Cancels a pending generation and refunds its credits. */
import { jsonAnswer } from '@gatehouse/simulator';
import { noSuchGeneration } from './read-generation';
import { refund } from '../resources/refund';
import type { SiteOperation } from '../state';

export const cancelGeneration = {
  name: 'cancel',
  method: 'POST',
  path: '/generations/:id/cancel',
  run({ persona, state, params: { id = '' } }) {
    const canceled = state.generations.cancel(persona.id, id);
    if (canceled === null) return noSuchGeneration;
    if (canceled === false) {
      return jsonAnswer(409, { error: 'already_finished', message: 'It is finished.' });
    }
    refund({ state, persona });
    return jsonAnswer(200, canceled);
  },
} as const satisfies SiteOperation;
