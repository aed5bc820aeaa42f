/**
 * Submits an order, all of it or nothing, and charges for it. The same idempotency key is charged
 * once.
 */
import { z } from 'zod';

import { jsonAnswer } from '@gatehouse/simulator';
import { workspaceGone, workspaceOf } from './acting';
import { isAspectRatio, type AspectRatio } from '@gatehouse/simulator/samples';
import { priceOf } from '../resources/prices';
import type { SiteOperation } from '../state';
import { refusalOf } from '../resources/failure-prompts';

/** Maximum pending generations in one workspace. */
const MAX_RUNNING = 24;

const orderSchema = z.object({
  prompts: z.array(z.unknown()).min(1).max(6),
  kind: z.enum(['picture', 'clip']).default('picture'),
  aspect_ratio: z.custom<AspectRatio>(isAspectRatio).default('1:1'),
  references: z.array(z.string()).max(4).default([]),
});

export const submitGeneration = {
  name: 'submit',
  method: 'POST',
  path: '/generations',
  run(call) {
    const { persona, state, headers, body } = call;
    const { generations, submissions, media, credits } = state;
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
      return jsonAnswer(415, { error: 'unsupported_media_type', message: 'Send JSON.' });
    }
    const parsed = orderSchema.safeParse(jsonIn(body));
    if (!parsed.success) {
      return jsonAnswer(422, { error: 'invalid_order', message: 'No such order.' });
    }
    const { prompts, kind, aspect_ratio: aspectRatio, references } = parsed.data;
    const words = prompts.filter((prompt) => typeof prompt === 'string');
    const [problem] = prompts.flatMap((prompt) => generations.problemWith(prompt) ?? []);
    if (problem) return jsonAnswer(422, { error: 'invalid_prompt', message: problem });

    const workspace = workspaceOf(call);
    if (!workspace) return workspaceGone;
    if (workspace.role === 'viewer') {
      return jsonAnswer(403, { error: 'forbidden', message: 'Viewers order nothing.' });
    }
    const key = headers['idempotency-key'];
    const order = JSON.stringify([workspace.id, parsed.data]);
    const earlier = typeof key === 'string' ? submissions.find(persona.id, key, order) : null;
    if (earlier === false) {
      return jsonAnswer(409, { error: 'idempotency_key_reused', message: 'Another order.' });
    }
    if (earlier) {
      return jsonAnswer(201, {
        items: earlier.flatMap((id) => generations.find(persona.id, id) ?? []),
      });
    }

    const refusal = words.map(refusalOf).find((one) => one !== null);
    if (refusal) {
      const [status, error, message] = refusal;
      return jsonAnswer(status, { error, message });
    }
    if (references.some((id) => !media.find(persona.id, id))) {
      return jsonAnswer(422, { error: 'reference_gone', message: 'A reference is not there.' });
    }
    if (generations.pending(persona.id, workspace.id) + words.length > MAX_RUNNING) {
      return jsonAnswer(429, { error: 'too_many_running', message: 'Wait for some to end.' });
    }
    const holder = { persona, workspace };
    const cost = priceOf(kind, references.length);
    if (credits.balance(holder) < cost * words.length) {
      return jsonAnswer(402, { error: 'insufficient_credits', message: 'Not enough credits.' });
    }
    const details = { kind, aspectRatio, references, cost, workspace: workspace.id };
    const items = words.map((prompt) => generations.submit(persona.id, prompt, details));
    for (const { id } of items) {
      credits.book(holder, { change: -cost, reason: 'generation', generation: id });
    }
    const ids = items.map(({ id }) => id);
    submissions.add(persona.id, typeof key === 'string' ? key : null, order, ids);
    return jsonAnswer(201, { items });
  },
} as const satisfies SiteOperation;

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
