/** A person's workspaces, with their credits. */
import { jsonAnswer } from '@gatehouse/simulator';
import type { SiteOperation } from '../state';

export const listWorkspaces = {
  name: 'workspaces',
  method: 'GET',
  path: '/workspaces',
  run: ({ persona, state: { workspaces, credits } }) =>
    jsonAnswer(200, {
      items: workspaces.of(persona).map((workspace) => ({
        id: workspace.id,
        name: workspace.name,
        role: workspace.role,
        can_generate: workspace.role !== 'viewer',
        credits: credits.balance({ persona, workspace }),
        internal_trace: 'trace-canary',
      })),
      chosen: workspaces.chosen(persona),
    }),
} as const satisfies SiteOperation;
