/** Workspaces: one of each person's own, and a read-only one. */
import {
  displayName,
  errorResponse,
  jsonResponse,
  noContent,
  type Operation,
  type OperationCall,
  type Persona,
} from '@gatehouse/simulator/operations';

export interface Workspace {
  id: string;
  name: string;
  role: 'owner' | 'editor' | 'viewer';
  /** The initial balance. Null if it is the person's own. */
  credits: number | null;
}

/** The part of the credits that a list of workspaces shows. */
interface Balances {
  balance: (holder: { persona: Persona; workspace: Workspace }) => number;
}

export type Workspaces = ReturnType<typeof createState>;

export const ownWorkspaceId = (personaId: string): string => `wsp_${personaId}`;

export function createState() {
  const choices = new Map<string, string>();
  const left = new Set<string>();
  const of = (persona: Persona) =>
    listed(persona).filter(({ id }) => !left.has(`${persona.id} ${id}`));
  /** The id of the chosen workspace, which may no longer exist. */
  const chosen = (persona: Persona) => choices.get(persona.id) ?? ownWorkspaceId(persona.id);
  return {
    of,
    chosen,
    /** The workspace with this id, or for null the chosen one. Null if it no longer exists. */
    acting(persona: Persona, id: string | null): Workspace | null {
      const wanted = id ?? chosen(persona);
      return of(persona).find((workspace) => workspace.id === wanted) ?? null;
    },
    /** False when the person has no such workspace. */
    choose(persona: Persona, id: string): boolean {
      const isTheirs = of(persona).some((workspace) => workspace.id === id);
      if (isTheirs) choices.set(persona.id, id);
      return isTheirs;
    },
    /** Removes a person from a workspace, as its owner could. */
    leave: (personaId: string, id: string) => void left.add(`${personaId} ${id}`),
  };
}

function listed(persona: Persona): Workspace[] {
  const { id } = persona;
  const own: Workspace = {
    id: ownWorkspaceId(id),
    name: `${displayName(persona)} · own`,
    role: 'owner',
    credits: null,
  };
  if (id === 'minimal') return [own];
  return [
    own,
    ...(id === 'xochitl'
      ? [{ id: `wsp_${id}_press`, name: 'ערב טוב Press', role: 'editor', credits: 8 } as const]
      : []),
    { id: `wsp_${id}_gallery`, name: 'Gallery', role: 'viewer', credits: 40 },
  ];
}

/** The workspace of a call: the one it names, or else the one its person has chosen. */
export function workspaceOf({
  persona,
  state,
  query,
}: OperationCall<{ workspaces: Workspaces }>): Workspace | null {
  return state.workspaces.acting(persona, query.get('workspace'));
}

export const workspaceGone = errorResponse(409, 'workspace_gone', 'No such workspace.');

export const operations = [
  {
    name: 'workspaces',
    method: 'GET',
    path: '/workspaces',
    run: ({ persona, state: { workspaces, credits } }) =>
      jsonResponse(200, {
        items: workspaces.of(persona).map((workspace) => ({
          id: workspace.id,
          name: workspace.name,
          role: workspace.role,
          can_generate: workspace.role !== 'viewer',
          credits: credits.balance({ persona, workspace }),
          internal_trace: 'trace-canary',
        })),
        chosen: workspaces.chosen(persona),
      }),
  },
  {
    // Chooses the workspace to use for calls that name none.
    name: 'choose',
    method: 'POST',
    path: '/workspaces/:id/choose',
    run: ({ persona, state: { workspaces }, params: { id = '' } }) =>
      workspaces.choose(persona, id) ? noContent : workspaceGone,
  },
] as const satisfies readonly Operation<{ workspaces: Workspaces; credits: Balances }>[];
