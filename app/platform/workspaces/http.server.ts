/** Workspaces over HTTP (W12). */
import { z } from 'zod';
import { type SdkCalls, segmentOf } from '@gatehouse/platform/server';
import { workspaceRoles } from './workspaces';
import type { Workspaces } from './port.server';

const maxItems = 100;

const upstreamWorkspace = z.object({
  id: z
    .string()
    .min(1)
    .refine((id) => id.isWellFormed()),
  name: z.string().transform((name) => name.toWellFormed()),
  role: z.enum(workspaceRoles),
  can_generate: z.boolean(),
  credits: z.number(),
});

const upstreamList = z.object({ items: z.array(z.unknown()), chosen: z.string().min(1) });

export function createWorkspaces(calls: SdkCalls): Workspaces {
  return {
    async list() {
      const path = '/workspaces';
      const { items, chosen } = await calls.call(upstreamList, { path });
      const own = calls.readable(upstreamWorkspace, items, { path, size: maxItems });
      return {
        items: own.map(({ id, name, role, can_generate: canGenerate, credits }) => ({
          id,
          name,
          role,
          canGenerate,
          credits,
        })),
        chosen,
      };
    },
    async choose(id) {
      const path = `/workspaces/${segmentOf(id)}/choose`;
      await calls.send({ method: 'POST', path }, { 404: 'not_found', 409: 'workspace_gone' });
    },
  };
}
