/** Workspaces (W12). */
import { z } from 'zod';
import { body, operation, segmentOf } from '@gatehouse/platform/server';
import { workspaceRoles, type WorkspaceList } from '../workspaces/workspaces';

const maxItems = 100;

const upstreamWorkspace = z
  .object({
    id: z
      .string()
      .min(1)
      .refine((id) => id.isWellFormed()),
    name: z.string().transform((name) => name.toWellFormed()),
    role: z.enum(workspaceRoles),
    can_generate: z.boolean(),
    credits: z.number(),
  })
  .transform(({ can_generate: canGenerate, ...workspace }) => ({ ...workspace, canGenerate }));

const upstreamList = z.object({ items: z.array(z.unknown()), chosen: z.string().min(1) });

export const workspaces = {
  list: operation({
    get: '/workspaces',
    returns: body(upstreamList, ({ items, chosen }, list): WorkspaceList => ({
      items: list(upstreamWorkspace, items, maxItems),
      chosen,
    })),
  }),
  /**
   * The platform stores the choice, because a frame may deny cookies. 409 `workspace_gone` if it no
   * longer exists.
   */
  choose: operation({
    post: (id: string) => `/workspaces/${segmentOf(id)}/choose`,
    codes: { 404: 'not_found', 409: 'workspace_gone' },
  }),
};
