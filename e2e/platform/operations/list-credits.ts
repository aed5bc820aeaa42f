/** A person's credit history. */
import { jsonAnswer } from '@gatehouse/simulator';
import { workspaceGone, workspaceOf } from './acting';
import type { SiteOperation } from '../state';

export const listCredits = {
  name: 'credit_history',
  method: 'GET',
  path: '/credits',
  run(call) {
    const workspace = workspaceOf(call);
    if (!workspace) return workspaceGone;
    const { persona, state, query } = call;
    const history = state.credits.history(
      { persona, workspace },
      { limit: query.get('limit'), cursor: query.get('cursor') },
    );
    return history
      ? jsonAnswer(200, history)
      : jsonAnswer(422, { error: 'invalid_page', message: 'limit or cursor is not valid.' });
  },
} as const satisfies SiteOperation;
