/** Orders: what they cost, and their submission. */
import { z } from 'zod';
import { errorResponse, jsonResponse, type Operation } from '@gatehouse/simulator/operations';
import { isAspectRatio, type AspectRatio } from '@gatehouse/simulator/samples';
import type { Credits } from '../credits';
import type { Media } from '../media';
import { workspaceGone, workspaceOf, type Workspaces } from '../workspaces';
import { refusalOf } from './prompts';
import type { GenerationKind, Generations } from './store';

export interface State {
  generations: Generations;
  media: Media;
  credits: Credits;
  workspaces: Workspaces;
}

/** Maximum pending generations in one workspace. */
const MAX_RUNNING = 24;

const orderSchema = z.object({
  prompts: z.array(z.unknown()).min(1).max(6),
  kind: z.enum(['picture', 'clip']).default('picture'),
  aspect_ratio: z.custom<AspectRatio>(isAspectRatio).default('1:1'),
  references: z.array(z.string()).max(4).default([]),
});

const invalidOrder = errorResponse(422, 'invalid_order', 'No such order.');

/** Credits of one generation. */
function priceOf(kind: GenerationKind, references: number): number {
  return (kind === 'clip' ? 5 : 1) + (references > 0 ? 1 : 0);
}

/** The cost of an order, and whether the balance covers it. */
export const estimateOrder = {
  name: 'estimate',
  method: 'GET',
  path: '/estimate',
  run(call) {
    const workspace = workspaceOf(call);
    if (!workspace) return workspaceGone;
    const { persona, state, query } = call;
    const kind = query.get('kind');
    const count = Number(query.get('count') ?? 1);
    const references = Number(query.get('references') ?? 0);
    const isKnown =
      (kind === 'picture' || kind === 'clip') && isAspectRatio(query.get('aspect_ratio'));
    if (!isKnown || !isBetween(count, 1, 6) || !isBetween(references, 0, 4)) return invalidOrder;
    const each = priceOf(kind, references);
    const balance = state.credits.balance({ persona, workspace });
    return jsonResponse(200, {
      total: each * count,
      each,
      balance,
      internal_trace: 'trace-canary',
    });
  },
} as const satisfies Operation<State>;

/** Submits an order, all of it or nothing, and charges for it. The same idempotency key is charged once. */
export const submitOrder = {
  name: 'submit',
  method: 'POST',
  path: '/generations',
  run(call) {
    const { persona, state, headers, body } = call;
    const { generations, media, credits } = state;
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
      return errorResponse(415, 'unsupported_media_type', 'Send JSON.');
    }
    const parsed = orderSchema.safeParse(jsonIn(body));
    if (!parsed.success) return invalidOrder;
    const { prompts, kind, aspect_ratio: aspectRatio, references } = parsed.data;
    const words = prompts.filter((prompt) => typeof prompt === 'string');
    const [problem] = prompts.flatMap((prompt) => generations.problemWith(prompt) ?? []);
    if (problem) return errorResponse(422, 'invalid_prompt', problem);

    const workspace = workspaceOf(call);
    if (!workspace) return workspaceGone;
    if (workspace.role === 'viewer') {
      return errorResponse(403, 'forbidden', 'Viewers order nothing.');
    }
    const key = headers['idempotency-key'];
    const order = JSON.stringify([workspace.id, parsed.data]);
    const earlier = typeof key === 'string' && generations.orderedWith(persona.id, key, order);
    if (typeof key === 'string' && earlier === false) {
      return errorResponse(409, 'idempotency_key_reused', 'Another order.');
    }
    if (earlier) {
      // Those that were removed or evicted since are left out.
      const items = earlier.flatMap((id) => generations.find(persona.id, id) ?? []);
      return jsonResponse(201, { items });
    }

    const refusal = words.map(refusalOf).find((item) => item !== null);
    if (refusal) {
      const [status, code, message] = refusal;
      return errorResponse(status, code, message);
    }
    if (references.some((id) => !media.find(persona.id, id))) {
      return errorResponse(422, 'reference_gone', 'A reference is not there.');
    }
    if (generations.pending(persona.id, workspace.id) + words.length > MAX_RUNNING) {
      return errorResponse(429, 'too_many_running', 'Wait for some to end.');
    }
    const holder = { persona, workspace };
    const cost = priceOf(kind, references.length);
    if (credits.balance(holder) < cost * words.length) {
      return errorResponse(402, 'insufficient_credits', 'Not enough credits.');
    }
    const details = { kind, aspectRatio, references, cost, workspace: workspace.id, isPaid: true };
    const items = words.map((prompt) => generations.submit(persona.id, prompt, details));
    for (const { id } of items) {
      credits.book(holder, { change: -cost, reason: 'generation', generation: id });
    }
    const ids = items.map(({ id }) => id);
    if (typeof key === 'string') generations.rememberOrder(persona.id, key, order, ids);
    return jsonResponse(201, { items });
  },
} as const satisfies Operation<State>;

function isBetween(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
