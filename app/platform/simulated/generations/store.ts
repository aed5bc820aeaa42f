/**
 * Generations that people ordered. Progress is computed from the clock rather than by timers, so
 * that tests can advance it.
 */
import { randomBytes } from 'node:crypto';
import type { StateParts } from '@gatehouse/simulator/operations';
import { clipOf, drawPicture, sizeOf, type AspectRatio } from '@gatehouse/simulator/samples';
import { ownWorkspaceId } from '../workspaces';
import { failureOf, isHeavy, makeHeavy } from './prompts';

/** Default milliseconds per picture. A clip takes twice as long. */
const defaultDuration = 3_000;

const MAX_PROMPT_LENGTH = 2_000;
const MAX_PAGE = 100;
const DEFAULT_PAGE = 20;
/** Orders whose idempotency keys are remembered. */
const MAX_ORDERS = 2_000;
/** The share of its duration that a job is queued. */
const QUEUED_SHARE = 0.1;
/** Milliseconds during which a removed generation can be restored. */
const RESTORABLE_MS = 10 * 60_000;

export type GenerationKind = 'picture' | 'clip';

interface OutputJson {
  content_type: 'image/png' | 'video/webm';
  width: number;
  height: number;
  /** For clips. */
  seconds?: number;
  /** Only for a single picture, not in lists: it is known only once the picture is drawn. */
  bytes?: number;
}

export type GenerationJson = ReturnType<typeof toJson>;

/** What a generation is made from, besides its prompt. */
export interface Details {
  kind?: GenerationKind;
  aspectRatio?: AspectRatio;
  references?: string[];
  workspace?: string;
  cost?: number;
  /** Whether the cost was charged, and is refunded if it fails. */
  isPaid?: boolean;
}

type ListQuery = { workspace: string } & Record<
  'limit' | 'cursor' | 'kind' | 'status',
  string | null
>;

interface Generation {
  id: string;
  sequence: number;
  kind: GenerationKind;
  prompt: string;
  aspectRatio: AspectRatio;
  references: string[];
  workspace: string;
  cost: number;
  isPaid: boolean;
  createdAt: number;
  durationMs: number;
  canceledAt: number | null;
  removedAt: number | null;
  isSettled: boolean;
}

export type Generations = ReturnType<typeof createState>;

/** @param keptPerPerson generations. The oldest are evicted. */
export function createState({ clock }: Pick<StateParts, 'clock'>, keptPerPerson = 500) {
  const byPerson = new Map<string, Generation[]>();
  const orders = new Map<string, { order: string; ids: readonly string[] }>();
  let sequence = 0;
  let durationMs = defaultDuration;

  /** Newest first. */
  const own = (personaId: string): Generation[] => byPerson.get(personaId) ?? [];
  const describe = (generation: Generation): GenerationJson => toJson(generation, clock.now());
  const kept = (personaId: string, id: string): Generation | undefined =>
    own(personaId).find((item) => item.id === id && item.removedAt === null);
  const isPending = (generation: Generation): boolean =>
    ['queued', 'running'].includes(stateOf(generation, clock.now()).status);

  return {
    /** What is wrong with a prompt, or null. */
    problemWith(prompt: unknown): string | null {
      if (typeof prompt !== 'string') return 'prompt must be a string';
      if (prompt.trim() === '') return 'prompt is empty';
      return prompt.length > MAX_PROMPT_LENGTH ? 'prompt is too long' : null;
    },
    /** Starts a generation without charging for it: the caller does. */
    submit(personaId: string, prompt: string, details: Details = {}): GenerationJson {
      sequence += 1;
      const { kind = 'picture', aspectRatio = '1:1', references = [], cost = 1 } = details;
      const generation: Generation = {
        id: `gen_${randomBytes(12).toString('hex')}`,
        sequence,
        kind,
        prompt,
        aspectRatio,
        references,
        workspace: details.workspace ?? ownWorkspaceId(personaId),
        cost,
        isPaid: details.isPaid ?? false,
        createdAt: clock.now(),
        durationMs: kind === 'clip' ? 2 * durationMs : durationMs,
        canceledAt: null,
        removedAt: null,
        isSettled: false,
      };
      byPerson.set(personaId, [generation, ...own(personaId)].slice(0, keptPerPerson));
      return describe(generation);
    },
    /**
     * The ids of the generations that were ordered with an idempotency key; null for a new key, false
     * if the key was used for another order.
     */
    orderedWith(personaId: string, key: string, order: string): readonly string[] | false | null {
      const earlier = orders.get(`${personaId} ${key}`);
      if (!earlier) return null;
      return earlier.order === order && earlier.ids;
    },
    rememberOrder(personaId: string, key: string, order: string, ids: readonly string[]): void {
      orders.set(`${personaId} ${key}`, { order, ids });
      const [oldest] = orders.keys();
      if (orders.size > MAX_ORDERS && oldest !== undefined) orders.delete(oldest);
    },
    find(personaId: string, id: string): GenerationJson | null {
      const generation = kept(personaId, id);
      if (!generation) return null;
      const json = describe(generation);
      if (json.output) json.output.bytes = fileOf(generation).length;
      return json;
    },
    /** Newest first. Null if the query is invalid. */
    list(personaId: string, { workspace, limit, cursor, kind, status }: ListQuery) {
      const count = limit === null ? DEFAULT_PAGE : Number(limit);
      if (!Number.isInteger(count) || count < 1 || count > MAX_PAGE) return null;
      const before = cursor === null ? Infinity : readCursor(cursor);
      if (before === null) return null;
      if (kind !== null && kind !== 'picture' && kind !== 'clip') return null;
      if (status !== null && !['pending', 'succeeded', 'failed', 'canceled'].includes(status)) {
        return null;
      }

      const isWanted = (item: Generation): boolean => {
        if (item.sequence >= before || item.workspace !== workspace) return false;
        if (item.removedAt !== null || (kind !== null && item.kind !== kind)) return false;
        if (status === null) return true;
        return status === (isPending(item) ? 'pending' : stateOf(item, clock.now()).status);
      };
      const rest = own(personaId).filter(isWanted);
      const items = rest.slice(0, count);
      const last = items.at(-1);
      return {
        items: items.map(describe),
        next_cursor: last && rest.length > count ? writeCursor(last.sequence) : null,
      };
    },
    /** The number of pending generations. */
    pending: (personaId: string, workspace: string): number =>
      own(personaId).filter((item) => item.workspace === workspace && isPending(item)).length,
    /** Null if it does not exist, false if it has finished. */
    cancel(personaId: string, id: string): GenerationJson | false | null {
      const generation = kept(personaId, id);
      if (!generation) return null;
      if (!isPending(generation)) return false;
      generation.canceledAt = clock.now();
      return describe(generation);
    },
    remove(personaId: string, id: string): boolean {
      const generation = kept(personaId, id);
      if (!generation) return false;
      generation.removedAt = clock.now();
      return true;
    },
    restore(personaId: string, id: string): GenerationJson | null {
      const generation = own(personaId).find((item) => item.id === id);
      if (!generation) return null;
      const { removedAt } = generation;
      if (removedAt !== null && clock.now() - removedAt > RESTORABLE_MS) return null;
      generation.removedAt = null;
      return describe(generation);
    },
    /** The file of a finished generation, or null. */
    output(personaId: string, id: string): { contentType: string; body: Buffer } | null {
      const generation = kept(personaId, id);
      const { output } = generation ? describe(generation) : { output: null };
      return generation && output
        ? { contentType: output.content_type, body: fileOf(generation) }
        : null;
    },
    /**
     * Returns a function that gives pending generations first, then those that are new or changed
     * since the last call.
     */
    watch(personaId: string, workspace: string): () => GenerationJson[] {
      const reported = new Map<string, string>();
      let isFirst = true;
      let seen = sequence;
      return () => {
        const changed = own(personaId).filter(
          (item) =>
            item.workspace === workspace &&
            (reported.has(item.id) || item.sequence > seen || (isFirst && isPending(item))),
        );
        isFirst = false;
        seen = sequence;
        return changed.map(describe).filter((item) => {
          const text = JSON.stringify(item);
          const isNews = reported.get(item.id) !== text;
          if (['queued', 'running'].includes(item.status)) reported.set(item.id, text);
          else reported.delete(item.id);
          return isNews;
        });
      };
    },
    /** Paid generations that failed or were canceled since the last call, to be refunded. */
    owed(personaId: string) {
      const now = clock.now();
      return own(personaId).flatMap((item) => {
        const { status, endedAt } = stateOf(item, now);
        if (item.isSettled || status === 'queued' || status === 'running') return [];
        item.isSettled = true;
        const { id, workspace, cost } = item;
        return status === 'succeeded' || !item.isPaid ? [] : [{ id, workspace, cost, at: endedAt }];
      });
    },
    /** Sets the duration of generations submitted from now on, in milliseconds. */
    setDuration(ms: number): void {
      durationMs = ms;
    },
  };
}

function fileOf({ kind, prompt, aspectRatio }: Generation): Buffer {
  if (kind === 'clip') return clipOf(aspectRatio).body;
  const picture = drawPicture(prompt, aspectRatio);
  return isHeavy(prompt) ? makeHeavy(picture) : picture;
}

function stateOf(generation: Generation, now: number) {
  const { prompt, createdAt, durationMs, canceledAt } = generation;
  const until = Math.min(now, canceledAt ?? Infinity);
  const share = durationMs <= 0 ? 1 : Math.min(1, Math.max(0, (until - createdAt) / durationMs));
  const known = failureOf(prompt);
  const failure = known && share >= known.share ? known : null;
  const progress = failure ? failure.share : share;
  const endedAt = createdAt + progress * durationMs;

  let status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' = 'running';
  if (failure) status = 'failed';
  else if (share >= 1) status = 'succeeded';
  else if (canceledAt !== null) status = 'canceled';
  else if (share < QUEUED_SHARE) status = 'queued';
  return { status, progress, failure, endedAt };
}

/**
 * A generation in the internal API. `internal_trace` stands for fields that a site must not pass
 * on.
 */
function toJson(generation: Generation, now: number) {
  const { id, kind, prompt, aspectRatio, createdAt } = generation;
  const { status, progress, failure } = stateOf(generation, now);
  const output: OutputJson =
    kind === 'clip'
      ? { content_type: 'video/webm', ...clipOf(aspectRatio).facts }
      : { content_type: 'image/png', ...sizeOf(aspectRatio) };
  return {
    id,
    kind,
    prompt,
    aspect_ratio: aspectRatio,
    status,
    progress: Math.round(progress * 100) / 100,
    created_at: new Date(createdAt).toISOString(),
    workspace_id: generation.workspace,
    cost: generation.cost,
    references: generation.references,
    output: status === 'succeeded' ? output : null,
    error: failure ? { code: failure.code, message: 'It could not be made: canary.' } : null,
    internal_trace: `trace-canary node=gpu-07.internal job=${generation.sequence}`,
  };
}

function writeCursor(sequence: number): string {
  return Buffer.from(`before:${sequence}`).toString('base64url');
}

function readCursor(cursor: string): number | null {
  const found = /^before:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  return found ? Number(found[1]) : null;
}
