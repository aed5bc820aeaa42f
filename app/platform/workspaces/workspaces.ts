/** Safe website data (W20): everything a browser receives about a workspace. */

export const workspaceRoles = ['owner', 'editor', 'viewer'] as const;

export interface Workspace {
  id: string;
  name: string;
  role: (typeof workspaceRoles)[number];
  /** Whether the visitor may order generations in it. */
  canGenerate: boolean;
  /** Credits left to spend in it. */
  credits: number;
}

export interface WorkspaceList {
  items: Workspace[];
  /** The id of the workspace that operations use by default. */
  chosen: string;
}
