/** The workspace of a call: the one it names, or else the one its person has chosen. */
import { jsonAnswer, type OperationCall } from '@gatehouse/simulator';
import type { State } from '../state';
import type { Workspace } from '../resources/workspaces';

export function workspaceOf({
  persona,
  state,
  query,
}: Pick<OperationCall<State>, 'persona' | 'state' | 'query'>): Workspace | null {
  return state.workspaces.acting(persona, query.get('workspace'));
}

export const workspaceGone = jsonAnswer(409, {
  error: 'workspace_gone',
  message: 'No such workspace.',
});
