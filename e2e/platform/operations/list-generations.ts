/** A page of somebody's pictures, newest first. */
import { jsonAnswer } from '../../harness/internal-api/fault-delivery';
import type { SiteOperation } from '../state';

export const listGenerations: SiteOperation = {
  name: 'list',
  method: 'GET',
  path: '/generations',
  run({ persona, state: { generations }, query }) {
    const page = generations.list(persona.id, {
      limit: query.get('limit'),
      cursor: query.get('cursor'),
    });
    return page
      ? jsonAnswer(200, page)
      : jsonAnswer(422, { error: 'invalid_page', message: 'limit or cursor is not valid.' });
  },
};
