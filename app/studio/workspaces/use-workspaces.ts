/**
 * The visitor's workspaces. The header's switcher and the page's forms both read them here, so that
 * an order goes to the workspace that the switcher shows, also while the platform is slow to list
 * them after a switch (`withinDeadline`).
 */
import { useEffect, useState } from 'react';
import type { WorkspaceList } from '~/platform/workspaces/workspaces';
import { useLastKnown } from './last-known';

export interface UseWorkspaces {
  /** The list as last loaded, with the workspace in which the page acts as the chosen one. */
  workspaces: WorkspaceList | null;
  /** The id of the workspace that is being switched to. */
  next: string | null;
}

/** A visitor's switch to another workspace. */
interface Switch {
  /** Who switched: another account on the same page must not act in it. */
  account: string;
  next: string | null;
  /** What the platform has stored, until a load lists it as the chosen one. */
  stored: string | null;
}

/** @param loaded null if the page's load lacks the list. */
export function useWorkspaces(loaded: WorkspaceList | null, account: string): UseWorkspaces {
  const known = useLastKnown(loaded, account);
  const [latest, setLatest] = useState<Switch>({ account, next: null, stored: null });
  useEffect(() => {
    const hear = ({ detail }: CustomEvent<Partial<Switch>>) => {
      setLatest((before) => {
        const isSame = (detail.account ?? before.account) === before.account;
        return { ...before, ...(!isSame && { stored: null }), ...detail };
      });
    };
    window.addEventListener(switching, hear as EventListener);
    return () => {
      window.removeEventListener(switching, hear as EventListener);
    };
  }, []);
  if (latest.account !== account) return { workspaces: known, next: null };
  const { next, stored } = latest;
  if (next === null && stored !== null && stored === known?.chosen)
    setLatest({ ...latest, stored: null });
  return { workspaces: known && { ...known, chosen: stored ?? known.chosen }, next };
}

/**
 * Switches everything on the page that shows workspaces.
 *
 * @param store whether the platform has stored the choice. If not, the previous one stays.
 */
export async function switchWorkspace(
  { account, id }: { account: string; id: string },
  store: () => Promise<boolean>,
): Promise<void> {
  const tell = (detail: Partial<Switch>) => {
    window.dispatchEvent(new CustomEvent(switching, { detail }));
  };
  tell({ account, next: id });
  tell({ next: null, ...((await store()) && { stored: id }) });
}

const switching = 'switching-workspace';
