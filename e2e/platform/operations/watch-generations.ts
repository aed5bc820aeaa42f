/** Changes to a person's generations, as server-sent events. */
import { workspaceGone, workspaceOf } from './acting';
import type { SiteOperation } from '../state';

export const watchGenerations = {
  name: 'watch',
  method: 'GET',
  path: '/generations/events',
  run(call) {
    const workspace = workspaceOf(call);
    if (!workspace) return workspaceGone;
    return { news: call.state.generations.watch(call.persona.id, workspace.id) };
  },
} as const satisfies SiteOperation;
