/** A page of a person's generations, newest first. */
import { jsonAnswer } from '@gatehouse/simulator';
import { workspaceGone, workspaceOf } from './acting';
import type { SiteOperation } from '../state';

export const listGenerations = {
  name: 'list',
  method: 'GET',
  path: '/generations',
  run(call) {
    const workspace = workspaceOf(call);
    if (!workspace) return workspaceGone;
    const { persona, state, query } = call;
    const page = state.generations.list(persona.id, {
      workspace: workspace.id,
      limit: query.get('limit'),
      cursor: query.get('cursor'),
      kind: query.get('kind'),
      status: query.get('status'),
    });
    return page
      ? jsonAnswer(200, page)
      : jsonAnswer(422, { error: 'invalid_page', message: 'Something of the query is not valid.' });
  },
} as const satisfies SiteOperation;
