/** What routes may ask of the visitor's workspaces. */
import type { WorkspaceList } from './workspaces';

export interface Workspaces {
  list(): Promise<WorkspaceList>;
  /** The platform keeps the choice: a frame may deny cookies. One that is gone: 409 `workspace_gone`. */
  choose(id: string): Promise<void>;
}
