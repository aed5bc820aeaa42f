/** Workspaces: one of each person's own, and a read-only one. */
import { displayName, type Persona } from '@gatehouse/simulator';

export interface Workspace {
  id: string;
  name: string;
  role: 'owner' | 'editor' | 'viewer';
  /** The initial balance. Null if it is the person's own. */
  credits: number | null;
}

export interface Workspaces {
  of(persona: Persona): Workspace[];
  /** The workspace with this id, or for null the chosen one. Null if it no longer exists. */
  acting(persona: Persona, id: string | null): Workspace | null;
  /** The id of the chosen workspace, which may no longer exist. */
  chosen(persona: Persona): string;
  /** False when the person has no such workspace. */
  choose(persona: Persona, id: string): boolean;
  /** Removes a person from a workspace, as its owner could. */
  leave(personaId: string, id: string): void;
}

export const ownWorkspaceId = (personaId: string): string => `wsp_${personaId}`;

export function createWorkspaces(): Workspaces {
  const choices = new Map<string, string>();
  const left = new Set<string>();

  const workspaces: Workspaces = {
    of: (persona) => listed(persona).filter(({ id }) => !left.has(`${persona.id} ${id}`)),
    acting(persona, id) {
      const wanted = id ?? workspaces.chosen(persona);
      return workspaces.of(persona).find((workspace) => workspace.id === wanted) ?? null;
    },
    chosen: (persona) => choices.get(persona.id) ?? ownWorkspaceId(persona.id),
    choose(persona, id) {
      const isTheirs = workspaces.of(persona).some((workspace) => workspace.id === id);
      if (isTheirs) choices.set(persona.id, id);
      return isTheirs;
    },
    leave: (personaId, id) => void left.add(`${personaId} ${id}`),
  };
  return workspaces;
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
