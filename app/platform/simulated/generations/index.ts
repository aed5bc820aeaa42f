/** Generations: ordered, watched, changed, and their files. */
import {
  errorResponse,
  fileResponse,
  jsonResponse,
  noContent,
  type Operation,
  type Persona,
  type StateParts,
} from '@gatehouse/simulator/operations';
import { workspaceGone, workspaceOf } from '../workspaces';
import { estimateOrder, submitOrder, type State } from './orders';
import { createState } from './store';

export { createState };
export const createDemoState = (parts: StateParts) => createState(parts, 100);

const noSuchGeneration = errorResponse(404, 'not_found', 'No such generation.');

/** Refunds failed and canceled generations, dated when they ended. */
export function settle({ state, persona }: { state: State; persona: Persona }): void {
  for (const { id, workspace: workspaceId, cost, at } of state.generations.owed(persona.id)) {
    const workspace = state.workspaces.acting(persona, workspaceId);
    if (!workspace) continue;
    state.credits.book(
      { persona, workspace },
      { change: cost, reason: 'refund', generation: id, at },
    );
  }
}

export const operations = [
  estimateOrder,
  submitOrder,
  {
    // A page of them, newest first.
    name: 'list',
    method: 'GET',
    path: '/generations',
    run(call) {
      const workspace = workspaceOf(call);
      if (!workspace) return workspaceGone;
      const { persona, state, query } = call;
      const page = state.generations.list(persona.id, {
        workspace: workspace.id,
        limit: query.get('limit'),
        cursor: query.get('cursor'),
        kind: query.get('kind'),
        status: query.get('status'),
      });
      return page
        ? jsonResponse(200, page)
        : errorResponse(422, 'invalid_page', 'Something of the query is not valid.');
    },
  },
  {
    // Must precede the operation whose path parameter would match `events`.
    name: 'watch',
    method: 'GET',
    path: '/generations/events',
    run(call) {
      const workspace = workspaceOf(call);
      if (!workspace) return workspaceGone;
      return { news: call.state.generations.watch(call.persona.id, workspace.id) };
    },
  },
  {
    name: 'status',
    method: 'GET',
    path: '/generations/:id',
    run({ persona, state: { generations }, params: { id = '' } }) {
      const generation = generations.find(persona.id, id);
      return generation ? jsonResponse(200, generation) : noSuchGeneration;
    },
  },
  {
    name: 'cancel',
    method: 'POST',
    path: '/generations/:id/cancel',
    run({ persona, state, params: { id = '' } }) {
      const canceled = state.generations.cancel(persona.id, id);
      if (canceled === null) return noSuchGeneration;
      if (canceled === false) return errorResponse(409, 'already_finished', 'It is finished.');
      settle({ state, persona });
      return jsonResponse(200, canceled);
    },
  },
  {
    // Removes it from the list. It can be restored for ten minutes.
    name: 'remove',
    method: 'DELETE',
    path: '/generations/:id',
    run: ({ persona, state: { generations }, params: { id = '' } }) =>
      generations.remove(persona.id, id) ? noContent : noSuchGeneration,
  },
  {
    name: 'restore',
    method: 'POST',
    path: '/generations/:id/restore',
    run({ persona, state: { generations }, params: { id = '' } }) {
      const restored = generations.restore(persona.id, id);
      return restored ? jsonResponse(200, restored) : noSuchGeneration;
    },
  },
  {
    // The file of a finished one.
    name: 'output',
    method: 'GET',
    path: '/generations/:id/output',
    run({ persona, state: { generations }, params: { id = '' }, headers }) {
      if (!generations.find(persona.id, id)) return noSuchGeneration;
      const file = generations.output(persona.id, id);
      return file
        ? fileResponse(headers, file.contentType, file.body)
        : errorResponse(409, 'not_ready', 'It is not ready.');
    },
  },
] as const satisfies readonly Operation<State>[];
