/** Generations (W12). */
import { z } from 'zod';
import {
  body,
  changed,
  events,
  file,
  items,
  operation,
  page,
  segmentOf,
} from '@gatehouse/platform/server';
import {
  aspectRatios,
  generationKinds,
  outputExtensions,
  type Estimate,
  type Generation,
  type GenerationFailure,
  type GenerationFilter,
  type Order,
} from '../generations/generations';

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

const upstreamEstimate = z
  .object({ total: z.number().min(0), each: z.number().min(0), balance: z.number() })
  .transform((estimate): Estimate => ({
    ...estimate,
    covered: estimate.balance >= estimate.total,
  }));

/** The platform's error codes for a failed generation. */
const failures: ReadonlyMap<string, GenerationFailure> = new Map([
  ['content_policy', 'prompt_refused'],
  ['provider_failed', 'provider_failed'],
  ['timed_out', 'timed_out'],
]);

/** What an estimate depends on: an order without its prompts. */
interface OrderSize extends Pick<Order, 'kind' | 'aspectRatio'> {
  /** Generations. */
  count: number;
  /** References of the order. */
  references: number;
}

const generation = upstreamGeneration.transform(toGeneration);

type Page = GenerationFilter & { cursor?: string | undefined };

const pathOf = (id: string) => `/generations/${segmentOf(id)}`;

export const generations = {
  estimate: operation({
    get: '/estimate',
    inWorkspace: true,
    query: ({ kind, aspectRatio, count, references }: OrderSize) => ({
      kind,
      aspect_ratio: aspectRatio,
      count: String(count),
      references: String(references),
    }),
    codes: { 422: 'invalid_order' },
    returns: body(upstreamEstimate),
  }),
  /**
   * Starts one generation per prompt: all of them or none. Repeating a key with the same order
   * returns the first result and charges nothing; with another order it is 409
   * `idempotency_key_reused`.
   *
   * Returns those that can be described. Generations that the platform describes unreadably, or that
   * were removed before the key was repeated, are left out: the order is charged by now, and accepted
   * even if none is left. An empty body is an error all the same, since retrying with the same key is
   * safe and returns the items.
   */
  submit: operation({
    post: '/generations',
    inWorkspace: true,
    json: ({ prompts, kind, aspectRatio, references }: Order) => ({
      prompts,
      kind,
      aspect_ratio: aspectRatio,
      references,
    }),
    once: true,
    codes: {
      422: {
        prompt_refused: 'prompt_refused',
        reference_gone: 'reference_gone',
        invalid_prompt: 'invalid_prompt',
        '*': 'invalid_order',
      },
    },
    returns: items(generation, ({ prompts }: Order) => prompts.length),
  }),
  get: operation({
    get: pathOf,
    codes: { 404: 'not_found' },
    returns: body(generation),
  }),
  list: operation({
    get: '/generations',
    inWorkspace: true,
    query: ({ cursor, kind, status }: Page = {}) => ({
      limit: String(pageSize),
      cursor,
      kind,
      status,
    }),
    // Without a cursor, nothing in this request can be invalid.
    codes: ({ cursor }: Page = {}) => (cursor ? { 422: 'invalid_cursor' } : {}),
    returns: page(generation, pageSize),
  }),
  /** Refunds the credits. 409 `already_finished` if it has finished. */
  cancel: operation({
    post: (id: string) => `${pathOf(id)}/cancel`,
    codes: { 404: 'not_found', 409: 'already_finished' },
    returns: changed(generation),
  }),
  /** Removes it from the list. It can be restored for a while. */
  remove: operation({ delete: pathOf, codes: { 404: 'not_found' } }),
  restore: operation({
    post: (id: string) => `${pathOf(id)}/restore`,
    codes: { 404: 'not_found' },
    returns: changed(generation),
  }),
  readOutput: file({ get: (id) => `${pathOf(id)}/output`, extensions: outputExtensions }),
  /** Yields pending generations, and each again when it changes. */
  watch: events({
    get: '/generations/events',
    inWorkspace: true,
    item: generation,
  }),
};

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
