/** Generations over HTTP (W12). */
import { z } from 'zod';
import {
  createFileReader,
  type ErrorCodes,
  rethrow,
  type SdkCalls,
  segmentOf,
} from '@gatehouse/platform/server';
import { eventsOf, isUnreadable } from './events.server';
import {
  aspectRatios,
  generationKinds,
  outputExtensions,
  type Generation,
  type GenerationFailure,
} from './generations';
import type { Generations } from './port.server';

const pageSize = 24;

/** A lone surrogate cannot be encoded in a URL. */
const addressable = z.string().refine((text) => text.isWellFormed());
const size = z.number().int().positive().nullish();

const upstreamGeneration = z.object({
  id: addressable.min(1),
  kind: z.enum(generationKinds),
  prompt: z.string().transform((prompt) => prompt.toWellFormed()),
  aspect_ratio: z.enum(aspectRatios),
  status: z.enum(['queued', 'running', 'succeeded', 'failed', 'canceled']),
  progress: z.number().min(0).max(1).catch(0),
  created_at: z.iso.datetime({ offset: true }),
  cost: z.number().min(0),
  references: z.array(addressable.min(1)).catch([]),
  output: z
    .object({
      content_type: z.string(),
      width: size,
      height: size,
      seconds: z.number().positive().nullish(),
    })
    .nullish(),
  error: z.object({ code: z.string() }).nullish().catch({ code: '' }),
});

const upstreamPage = z.object({
  items: z.array(z.unknown()),
  next_cursor: addressable.nullish(),
});

const upstreamOrder = z.object({ items: z.array(z.unknown()) });

const upstreamEstimate = z.object({
  total: z.number().min(0),
  each: z.number().min(0),
  balance: z.number(),
});

/** The platform's error codes for a failed generation. */
const failures: ReadonlyMap<string, GenerationFailure> = new Map([
  ['content_policy', 'prompt_refused'],
  ['provider_failed', 'provider_failed'],
  ['timed_out', 'timed_out'],
]);

const workspaceCodes: ErrorCodes = { 409: 'workspace_gone' };
const orderCodes: ErrorCodes = {
  409: { workspace_gone: 'workspace_gone', idempotency_key_reused: 'idempotency_key_reused' },
  422: {
    prompt_refused: 'prompt_refused',
    reference_gone: 'reference_gone',
    invalid_prompt: 'invalid_prompt',
    '*': 'invalid_order',
  },
};

export function createGenerations(calls: SdkCalls): Generations {
  const readFile = createFileReader(calls, outputExtensions);
  const one = async (call: Parameters<SdkCalls['call']>[1], codes: ErrorCodes) =>
    toGeneration(await calls.call(upstreamGeneration, call, codes));
  /** For an operation that has been carried out, whatever the response says of it. */
  const changed = async (path: string, codes: ErrorCodes) => {
    const answer = await calls.write(z.unknown(), { method: 'POST', path }, codes);
    if (answer === null) return null;
    const [generation] = calls.readable(upstreamGeneration, [answer], { path, size: 1 });
    return generation ? toGeneration(generation) : null;
  };
  return {
    async estimate({ kind, aspectRatio, count, references }) {
      const query = {
        kind,
        aspect_ratio: aspectRatio,
        count: String(count),
        references: String(references),
      };
      const { total, each, balance } = await calls.call(
        upstreamEstimate,
        { path: calls.inWorkspace('/estimate', query) },
        { ...workspaceCodes, 422: 'invalid_order' },
      );
      return { total, each, balance, covered: balance >= total };
    },
    async submit({ prompts, kind, aspectRatio, references }, { idempotencyKey }) {
      const path = calls.inWorkspace('/generations');
      // Unlike in other writes, an empty body is an error: retrying with the same key is safe and returns the items.
      const { items } = await calls.call(
        upstreamOrder,
        {
          method: 'POST',
          path,
          json: { prompts, kind, aspect_ratio: aspectRatio, references },
          headers: { 'idempotency-key': idempotencyKey },
        },
        orderCodes,
      );
      // The order is charged by now: an unreadable item must not make it look refused.
      const readable = calls.readable(upstreamGeneration, items, { path, size: prompts.length });
      return readable.map(toGeneration);
    },
    get: async (id) => one({ path: pathOf(id) }, { 404: 'not_found' }),
    async list({ cursor, kind, status } = {}) {
      const query = { limit: String(pageSize), cursor, kind, status };
      const path = calls.inWorkspace('/generations', query);
      // Without a cursor, nothing in this request can be invalid.
      const codes: ErrorCodes = { ...workspaceCodes, ...(cursor && { 422: 'invalid_cursor' }) };
      const page = await calls.call(upstreamPage, { path }, codes);
      const items = calls.readable(upstreamGeneration, page.items, { path, size: pageSize });
      return { items: items.map(toGeneration), nextCursor: page.next_cursor ?? null };
    },
    cancel: async (id) =>
      changed(`${pathOf(id)}/cancel`, { 404: 'not_found', 409: 'already_finished' }),
    async remove(id) {
      await calls.send({ method: 'DELETE', path: pathOf(id) }, { 404: 'not_found' });
    },
    restore: async (id) => changed(`${pathOf(id)}/restore`, { 404: 'not_found' }),
    readOutput: async (id, extension, part) =>
      readFile({ path: `${pathOf(id)}/output`, id, extension, part }),
    async *watch({ signal }) {
      const path = calls.inWorkspace('/generations/events');
      const { body } = await calls.open(
        { path, signal, isEndless: true, maxBytes: Infinity },
        workspaceCodes,
      );
      try {
        for await (const value of eventsOf(body)) {
          const [generation] = calls.readable(upstreamGeneration, [value], { path, size: 1 });
          if (generation) yield toGeneration(generation);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (isUnreadable(error)) throw calls.unusable(path, 'unexpected events');
        rethrow(error);
      }
    },
  };
}

function pathOf(id: string): string {
  return `/generations/${segmentOf(id)}`;
}

function toGeneration(value: z.infer<typeof upstreamGeneration>): Generation {
  const { id, status, output } = value;
  const contentType = output?.content_type.split(';')[0]?.trim().toLowerCase() ?? '';
  const extension = outputExtensions.get(contentType);
  return {
    id,
    kind: value.kind,
    prompt: value.prompt,
    aspectRatio: value.aspect_ratio,
    status,
    progress: status === 'succeeded' ? 1 : value.progress,
    createdAt: value.created_at,
    cost: value.cost,
    failure: status === 'failed' ? (failures.get(value.error?.code ?? '') ?? 'unknown') : null,
    references: value.references,
    output:
      status === 'succeeded' && output && extension
        ? {
            url: `/api/generations/${encodeURIComponent(id)}/output.${extension}`,
            filename: `${id}.${extension}`,
            contentType,
            width: output.width ?? null,
            height: output.height ?? null,
            seconds: output.seconds ?? null,
          }
        : null,
  };
}
