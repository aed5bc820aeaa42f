/**
 * Generations that people ordered. Progress is computed from the clock rather than by timers, so
 * that tests can advance it.
 */
import { randomBytes } from 'node:crypto';

import type { Clock } from '@gatehouse/simulator';
import { clipOf } from '@gatehouse/simulator/samples';
import { isHeavy, makeHeavy } from './heavy';
import { drawPicture, sizeOf, type AspectRatio } from '@gatehouse/simulator/samples';
import type { GenerationKind } from './prices';
import { failureOf } from './failure-prompts';
import { ownWorkspaceId } from './workspaces';

/** Default milliseconds per picture. A clip takes twice as long. */
const defaultDuration = 3_000;

const MAX_PROMPT_LENGTH = 2_000;
const MAX_PAGE = 100;
const DEFAULT_PAGE = 20;
const KEPT_PER_PERSON = 500;
/** The share of its duration that a job is queued. */
const QUEUED_SHARE = 0.1;
/** Milliseconds during which a removed generation can be restored. */
const RESTORABLE_MS = 10 * 60_000;

interface OutputJson {
  content_type: 'image/png' | 'video/webm';
  width: number;
  height: number;
  /** For clips. */
  seconds?: number;
  /** Only for a single picture, not in lists: it is known only once the picture is drawn. */
  bytes?: number;
}

/**
 * A generation in the internal API. `internal_trace` stands for fields that a site must not pass
 * on.
 */
export interface GenerationJson {
  id: string;
  kind: GenerationKind;
  prompt: string;
  aspect_ratio: AspectRatio;
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';
  /** From 0 to 1. */
  progress: number;
  created_at: string;
  workspace_id: string;
  /** Credits. */
  cost: number;
  /** Ids of media. */
  references: string[];
  output: OutputJson | null;
  error: { code: string; message: string } | null;
  internal_trace: string;
}

/** What a generation is made from, besides its prompt. */
export interface Details {
  kind?: GenerationKind;
  aspectRatio?: AspectRatio;
  references?: string[];
  workspace?: string;
  cost?: number;
}

/** A generation to refund. */
export interface Owed {
  id: string;
  workspace: string;
  cost: number;
  /** When it ended. */
  at: number;
}

interface ListQuery {
  workspace: string;
  limit: string | null;
  cursor: string | null;
  kind: string | null;
  status: string | null;
}

type PromptProblem = 'prompt must be a string' | 'prompt is empty' | 'prompt is too long';

export interface Generations {
  /** What is wrong with a prompt, or null. */
  problemWith(prompt: unknown): PromptProblem | null;
  /** Starts a generation without charging for it: the caller does. */
  submit(personaId: string, prompt: string, details?: Details): GenerationJson;
  find(personaId: string, id: string): GenerationJson | null;
  /** Newest first. Null if the query is invalid. */
  list(
    personaId: string,
    query: ListQuery,
  ): { items: GenerationJson[]; next_cursor: string | null } | null;
  /** The number of pending generations. */
  pending(personaId: string, workspace: string): number;
  /** Null if it does not exist, false if it has finished. */
  cancel(personaId: string, id: string): GenerationJson | false | null;
  remove(personaId: string, id: string): boolean;
  restore(personaId: string, id: string): GenerationJson | null;
  /** The file of a finished generation, or null. */
  output(personaId: string, id: string): { contentType: string; body: Buffer } | null;
  /**
   * Returns a function that gives pending generations first, then those that are new or changed
   * since the last call.
   */
  watch(personaId: string, workspace: string): () => GenerationJson[];
  /** Generations that failed or were canceled since the last call. */
  owed(personaId: string): Owed[];
  /** Sets the duration of generations submitted from now on, in milliseconds. */
  setDuration(ms: number): void;
}

interface Generation {
  id: string;
  sequence: number;
  kind: GenerationKind;
  prompt: string;
  aspectRatio: AspectRatio;
  references: string[];
  workspace: string;
  cost: number;
  createdAt: number;
  durationMs: number;
  canceledAt: number | null;
  removedAt: number | null;
  isSettled: boolean;
}

/** An empty set of generations that progress with `clock`. */
export function createGenerations(clock: Clock): Generations {
  const byPerson = new Map<string, Generation[]>();
  let sequence = 0;
  let durationMs = defaultDuration;

  const own = (personaId: string): Generation[] => byPerson.get(personaId) ?? [];
  const tell = (generation: Generation): GenerationJson => toJson(generation, clock.now());
  const kept = (personaId: string, id: string): Generation | undefined =>
    own(personaId).find((one) => one.id === id && one.removedAt === null);
  const isPending = (generation: Generation): boolean =>
    ['queued', 'running'].includes(stateOf(generation, clock.now()).status);

  return {
    problemWith(prompt) {
      if (typeof prompt !== 'string') return 'prompt must be a string';
      if (prompt.trim() === '') return 'prompt is empty';
      return prompt.length > MAX_PROMPT_LENGTH ? 'prompt is too long' : null;
    },
    submit(personaId, prompt, details = {}) {
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
        createdAt: clock.now(),
        durationMs: kind === 'clip' ? 2 * durationMs : durationMs,
        canceledAt: null,
        removedAt: null,
        isSettled: false,
      };
      byPerson.set(personaId, [generation, ...own(personaId)].slice(0, KEPT_PER_PERSON));
      return tell(generation);
    },
    find(personaId, id) {
      const generation = kept(personaId, id);
      if (!generation) return null;
      const told = tell(generation);
      if (told.output) told.output.bytes = fileOf(generation).length;
      return told;
    },
    list(personaId, { workspace, limit, cursor, kind, status }) {
      const count = limit === null ? DEFAULT_PAGE : Number(limit);
      if (!Number.isInteger(count) || count < 1 || count > MAX_PAGE) return null;
      const before = cursor === null ? Infinity : readCursor(cursor);
      if (before === null) return null;
      if (kind !== null && kind !== 'picture' && kind !== 'clip') return null;
      if (status !== null && !['pending', 'succeeded', 'failed', 'canceled'].includes(status)) {
        return null;
      }

      const isWanted = (one: Generation): boolean => {
        if (one.sequence >= before || one.workspace !== workspace) return false;
        if (one.removedAt !== null || (kind !== null && one.kind !== kind)) return false;
        if (status === null) return true;
        return status === (isPending(one) ? 'pending' : stateOf(one, clock.now()).status);
      };
      const rest = own(personaId).filter(isWanted);
      const items = rest.slice(0, count);
      const last = items.at(-1);
      return {
        items: items.map(tell),
        next_cursor: last && rest.length > count ? writeCursor(last.sequence) : null,
      };
    },
    pending: (personaId, workspace) =>
      own(personaId).filter((one) => one.workspace === workspace && isPending(one)).length,
    cancel(personaId, id) {
      const generation = kept(personaId, id);
      if (!generation) return null;
      if (!isPending(generation)) return false;
      generation.canceledAt = clock.now();
      return tell(generation);
    },
    remove(personaId, id) {
      const generation = kept(personaId, id);
      if (!generation) return false;
      generation.removedAt = clock.now();
      return true;
    },
    restore(personaId, id) {
      const generation = own(personaId).find((one) => one.id === id);
      if (!generation) return null;
      const { removedAt } = generation;
      if (removedAt !== null && clock.now() - removedAt > RESTORABLE_MS) return null;
      generation.removedAt = null;
      return tell(generation);
    },
    output(personaId, id) {
      const generation = kept(personaId, id);
      const { output } = generation ? tell(generation) : { output: null };
      return generation && output
        ? { contentType: output.content_type, body: fileOf(generation) }
        : null;
    },
    watch(personaId, workspace) {
      const told = new Map<string, string>();
      let isFirst = true;
      let seen = sequence;
      return () => {
        const changed = own(personaId).filter(
          (one) =>
            one.workspace === workspace &&
            (told.has(one.id) || one.sequence > seen || (isFirst && isPending(one))),
        );
        isFirst = false;
        seen = sequence;
        return changed.map(tell).filter((one) => {
          const text = JSON.stringify(one);
          const isNews = told.get(one.id) !== text;
          if (['queued', 'running'].includes(one.status)) told.set(one.id, text);
          else told.delete(one.id);
          return isNews;
        });
      };
    },
    owed(personaId) {
      const now = clock.now();
      return own(personaId).flatMap((one) => {
        const { status, endedAt } = stateOf(one, now);
        if (one.isSettled || status === 'queued' || status === 'running') return [];
        one.isSettled = true;
        const { id, workspace, cost } = one;
        return status === 'succeeded' ? [] : [{ id, workspace, cost, at: endedAt }];
      });
    },
    setDuration(ms) {
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

  let status: GenerationJson['status'] = 'running';
  if (failure) status = 'failed';
  else if (share >= 1) status = 'succeeded';
  else if (canceledAt !== null) status = 'canceled';
  else if (share < QUEUED_SHARE) status = 'queued';
  return { status, progress, failure, endedAt };
}

function toJson(generation: Generation, now: number): GenerationJson {
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
