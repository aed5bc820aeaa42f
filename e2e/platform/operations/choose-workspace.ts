/** Chooses the workspace to use for calls that name none. */
import { workspaceGone } from './acting';
import type { SiteOperation } from '../state';

export const chooseWorkspace = {
  name: 'choose',
  method: 'POST',
  path: '/workspaces/:id/choose',
  run: ({ persona, state: { workspaces }, params: { id = '' } }) =>
    workspaces.choose(persona, id)
      ? { status: 204, contentType: null, body: Buffer.alloc(0) }
      : workspaceGone,
} as const satisfies SiteOperation;
