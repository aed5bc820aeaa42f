/** Workspaces of the offline demo (W31): one to work in, and a read-only one. */
import {
  balanceOf,
  demoWorkspaceOf,
  keepDemoAccount,
  type DemoAccount,
} from '../demo-account.server';
import type { Workspaces } from './port.server';

export function createDemoWorkspaces(account: DemoAccount): Workspaces {
  return {
    list: () =>
      Promise.resolve({
        items: account.workspaces.map((workspace) => ({
          id: workspace.id,
          name: workspace.name,
          role: workspace.role,
          canGenerate: workspace.role !== 'viewer',
          credits: balanceOf(workspace),
        })),
        chosen: account.chosen,
      }),
    async choose(id) {
      const { id: chosen } = await Promise.resolve(demoWorkspaceOf(account, id));
      keepDemoAccount(account);
      account.chosen = chosen;
    },
  };
}
