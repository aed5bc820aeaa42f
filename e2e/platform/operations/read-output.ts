/** The file of a finished generation, complete or by range. */
import { fileAnswer, jsonAnswer } from '@gatehouse/simulator';
import type { SiteOperation } from '../state';
import { noSuchGeneration } from './read-generation';

export const readOutput = {
  name: 'output',
  method: 'GET',
  path: '/generations/:id/output',
  run({ persona, state: { generations }, params: { id = '' }, headers }) {
    if (!generations.find(persona.id, id)) return noSuchGeneration;
    const file = generations.output(persona.id, id);
    return file
      ? fileAnswer(headers, file.contentType, file.body)
      : jsonAnswer(409, { error: 'not_ready', message: 'It is not ready.' });
  },
} as const satisfies SiteOperation;
