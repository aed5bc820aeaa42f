/** The port: workspaces. */
import type { WorkspaceList } from './workspaces';

export interface Workspaces {
  list(): Promise<WorkspaceList>;
  /**
   * The platform stores the choice, because a frame may deny cookies. 409 `workspace_gone` if it no
   * longer exists.
   */
  choose(id: string): Promise<void>;
}
