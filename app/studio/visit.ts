/** Who uses the studio, and where: what its forms and its feed act with. */
import { createContext, useContext } from 'react';
import type { Workspace } from '~/platform/workspaces/workspaces';

export interface Visit {
  /** False until the browser has confirmed who the visitor is. */
  usable: boolean;
  /**
   * The account that loaded the page: the server rejects what is sent for any other. Empty once it is no longer the one that is
   * signed in.
   */
  account: string;
  /** Undefined for the workspace that is chosen on the platform. */
  workspace: Workspace | undefined;
}

const Visits = createContext<Visit>({ usable: false, account: '', workspace: undefined });

export const VisitProvider = Visits.Provider;

/** With the workspace's id, empty for the one that is chosen on the platform. */
export function useVisit(): Visit & { workspaceId: string } {
  const visit = useContext(Visits);
  return { ...visit, workspaceId: visit.workspace?.id ?? '' };
}
