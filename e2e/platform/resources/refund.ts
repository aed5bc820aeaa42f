/** Refunds failed and canceled generations, dated when they ended. */
import type { Persona } from '@gatehouse/simulator';
import type { State } from '../state';

export function refund({ state, persona }: { state: State; persona: Persona }): void {
  for (const { id, workspace: workspaceId, cost, at } of state.generations.owed(persona.id)) {
    const workspace = state.workspaces.acting(persona, workspaceId);
    if (!workspace || !state.submissions.isPaid(id)) continue;
    state.credits.book(
      { persona, workspace },
      { change: cost, reason: 'refund', generation: id, at },
    );
  }
}
