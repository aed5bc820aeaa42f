/** The studio pages' additions to the header: the workspace, and its credits. */
import { Link } from '@remix-run/react';
import { Coins } from 'lucide-react';
import type { ApiResponse } from '@gatehouse/frame/browser';
import type { WorkspaceList } from '~/platform/workspaces/workspaces';
import { useUser } from '@gatehouse/platform/react';
import { useReload, useApi } from '@gatehouse/frame/react';
import { Skeleton } from '~/ui/skeleton';
import { toast } from '~/ui/toast';
import { formatCredits } from '../format-credits';
import { messageFor } from '~/shell/platform/platform-messages';
import { switchWorkspace, useWorkspaces } from './use-workspaces';

/** @param data of the page's loader; undefined if it failed. */
export function AccountTools({ data }: { data: unknown }) {
  const { view } = useUser();
  const { workspaces: loaded = null } = (data ?? {}) as { workspaces?: WorkspaceList | null };
  const account = view.status === 'signed-in' ? view.profile.key : '';
  const { workspaces, next } = useWorkspaces(loaded, account);
  // Without JavaScript nothing confirms the sign-in state, so the link must be rendered here.
  if (view.status === 'checking')
    return (
      <>
        <Skeleton className="h-9 md:w-48 noscript:hidden" />
        <noscript>
          <Link to="/credits" className="text-sm">
            Credits
          </Link>
        </noscript>
      </>
    );
  if (view.status !== 'signed-in') return null;
  const chosen = workspaces?.items.find(({ id }) => id === workspaces.chosen);
  const credits = chosen?.credits ?? view.profile.credits;
  // A single workspace is offered too, if the chosen one is gone.
  const isChoice = workspaces && workspaces.items.length > (chosen ? 1 : 0);
  return (
    <div className="flex min-w-0 items-center justify-between gap-3">
      {isChoice && <WorkspaceSwitcher workspaces={workspaces} next={next} account={account} />}
      <Link
        to="/credits"
        className="text-muted hover:text-ink inline-flex min-h-9 items-center gap-2 text-sm whitespace-nowrap"
      >
        <Coins aria-hidden className="size-4" />
        {credits === null ? 'Credits' : formatCredits(credits)}
      </Link>
    </div>
  );
}

interface WorkspaceSwitcherProps {
  workspaces: WorkspaceList;
  next: string | null;
  account: string;
}

/** A native `<select>`: it works on every screen, and adds no code. */
function WorkspaceSwitcher({ workspaces, next, account }: WorkspaceSwitcherProps) {
  const { items, chosen } = workspaces;
  const { send } = useApi<() => Promise<ApiResponse<null>>>();
  const reload = useReload();
  const choose = async (id: string) => {
    await switchWorkspace({ account, id }, async () => {
      const result = await send('/api/workspaces', { body: { id } });
      if (!result.ok && result.code !== 'aborted') toast.error(messageFor(result.code));
      return result.ok;
    });
    reload();
  };
  const isThere = items.some(({ id }) => id === chosen);
  return (
    <select
      aria-label="Workspace"
      value={next ?? (isThere ? chosen : '')}
      disabled={next !== null}
      onChange={({ target }) => void choose(target.value)}
      className="border-line-strong bg-surface h-9 min-w-0 truncate rounded-full border px-3 text-sm disabled:opacity-60 max-md:grow md:max-w-40"
    >
      {!isThere && <option value="">Choose a workspace</option>}
      {items.map(({ id, name, canGenerate }) => (
        <option key={id} value={id} dir="auto">
          {canGenerate ? name : `${name} (view only)`}
        </option>
      ))}
    </select>
  );
}
