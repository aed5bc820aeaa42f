/** Safe website data (W20): all that a browser receives of a workspace. */

export const workspaceRoles = ['owner', 'editor', 'viewer'] as const;

export interface Workspace {
  id: string;
  name: string;
  role: (typeof workspaceRoles)[number];
  /** Whether the visitor may order generations there. */
  canGenerate: boolean;
  /** What is left to spend there. */
  credits: number;
}

export interface WorkspaceList {
  items: Workspace[];
  /** The id of the one that operations act in unless they name another. */
  chosen: string;
}
