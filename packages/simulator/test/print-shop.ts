/** A platform for the harness's own tests, so that they depend on no site: personas, and a print shop. */
import { fileResponse, jsonResponse } from '../src/responses.ts';
import type { Clock } from '../src/clock.ts';
import { definePlatform, type Operation } from '../src/definition.ts';

interface Print {
  id: string;
  owner: string;
  text: string;
  orderedAt: number;
}

interface State {
  prints: Print[];
  /** The number in the last id: an id is never given twice. */
  lastPrint: number;
  /** Milliseconds, by the platform's clock. */
  now: Clock['now'];
}

type ShopOperation = Operation<State>;

/** Milliseconds that a print takes. */
const duration = 1_000;

const order = {
  name: 'print',
  method: 'POST',
  path: '/prints',
  maxBytes: 128 * 1024,
  run({ persona, personas, state, body }) {
    const { text } = JSON.parse(body.toString()) as { text?: unknown };
    if (typeof text !== 'string') return jsonResponse(422, { error: 'no_text' });
    if (!personas.spendCredit(persona)) return jsonResponse(402, { error: 'no_credits' });
    const id = `prt_${(state.lastPrint += 1)}`;
    state.prints.push({ id, owner: persona.id, text, orderedAt: state.now() });
    return jsonResponse(201, { id });
  },
} as const satisfies ShopOperation;

const list = {
  name: 'list-prints',
  method: 'GET',
  path: '/prints',
  run: ({ persona, state }) =>
    jsonResponse(
      200,
      state.prints
        .filter(({ owner }) => owner === persona.id)
        .map(({ id, orderedAt }) => ({ id, printed: state.now() - orderedAt >= duration })),
    ),
} as const satisfies ShopOperation;

const read = {
  name: 'read-print',
  method: 'GET',
  path: '/prints/:id',
  run({ persona, state, params, headers }) {
    const print = state.prints.find(({ id, owner }) => id === params['id'] && owner === persona.id);
    return print
      ? fileResponse(headers, 'text/plain', Buffer.from(print.text))
      : jsonResponse(404, { error: 'no_such_print' });
  },
} as const satisfies ShopOperation;

const discard = {
  name: 'discard-print',
  method: 'DELETE',
  path: '/prints/:id',
  run({ persona, state, params }) {
    const at = state.prints.findIndex(
      ({ id, owner }) => id === params['id'] && owner === persona.id,
    );
    if (at < 0) return jsonResponse(404, { error: 'no_such_print' });
    state.prints.splice(at, 1);
    return jsonResponse(200, {});
  },
} as const satisfies ShopOperation;

const people = [
  ['ada', 'The ordinary case', { name: 'Ada Quist', credits: 120 }],
  ['bobby', 'Markup in the name', { name: '<b>Bobby</b> & "Tables"', credits: 12 }],
  ['zoe', 'No credits', { name: 'Zoe Nought', credits: 0 }],
  ['minimal', 'An id, and no more of a profile', {}],
] as const;

export const printShop = definePlatform({
  personas: people.map(([id, purpose, profile]) => ({
    id,
    purpose,
    colour: '#0f766e',
    credits: 'credits' in profile ? profile.credits : 5,
    profile: { id: `usr_${id}`, ...profile },
  })),
  createState: ({ clock }): State => ({ prints: [], lastPrint: 0, now: () => clock.now() }),
  operations: [order, list, read, discard],
});
