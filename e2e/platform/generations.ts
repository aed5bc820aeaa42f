/**
 * The pictures that people ordered. How far one has come is computed from the clock, never from a
 * timer, so a test can step it.
 */
import { randomBytes } from 'node:crypto';

import type { Clock } from '../harness/clock';
import { drawPicture, PICTURE_SIZE } from './picture';

/** Milliseconds that one picture takes unless told otherwise. */
const defaultDuration = 3_000;

const MAX_PROMPT_LENGTH = 2_000;
const MAX_PAGE = 100;
const DEFAULT_PAGE = 20;
const KEPT_PER_PERSON = 500;
/** The share of the time that a job waits before it runs. */
const QUEUED_SHARE = 0.1;
const FAILURE_SHARE = 0.6;
const FAILURE_WORDS = 'fail please';

interface OutputJson {
  content_type: 'image/png';
  width: number;
  height: number;
  /** Told of one picture, not in lists: to know it, the picture must be drawn. */
  bytes?: number;
}

/** A generation as the internal API tells it. `internal_trace` is noise that a site must not pass on. */
export interface GenerationJson {
  id: string;
  prompt: string;
  status: 'queued' | 'running' | 'succeeded' | 'failed';
  /** From 0 to 1. */
  progress: number;
  created_at: string;
  output: OutputJson | null;
  error: { code: string; message: string } | null;
  internal_trace: string;
}

type PromptProblem = 'prompt must be a string' | 'prompt is empty' | 'prompt is too long';

export interface Generations {
  /** Why this is no prompt, or null. */
  problemWith(prompt: unknown): PromptProblem | null;
  submit(personaId: string, prompt: string): GenerationJson;
  find(personaId: string, id: string): GenerationJson | null;
  /** Newest first. Null when limit or cursor make no sense. */
  list(
    personaId: string,
    page: { limit: string | null; cursor: string | null },
  ): { items: GenerationJson[]; next_cursor: string | null } | null;
  /** The PNG of a finished generation, or null. */
  output(personaId: string, id: string): Buffer | null;
  /** How long the generations submitted from now on take, in milliseconds. */
  setDuration(ms: number): void;
}

interface Generation {
  id: string;
  sequence: number;
  prompt: string;
  createdAt: number;
  durationMs: number;
}

/** Makes an empty set of generations that progress by `clock`. */
export function createGenerations(clock: Clock): Generations {
  const byPerson = new Map<string, Generation[]>();
  let sequence = 0;
  let durationMs = defaultDuration;

  const own = (personaId: string): Generation[] => byPerson.get(personaId) ?? [];
  const tell = (generation: Generation): GenerationJson => toJson(generation, clock.now());

  return {
    problemWith(prompt) {
      if (typeof prompt !== 'string') return 'prompt must be a string';
      if (prompt.trim() === '') return 'prompt is empty';
      return prompt.length > MAX_PROMPT_LENGTH ? 'prompt is too long' : null;
    },
    submit(personaId, prompt) {
      sequence += 1;
      const generation: Generation = {
        id: `gen_${randomBytes(12).toString('hex')}`,
        sequence,
        prompt,
        createdAt: clock.now(),
        durationMs,
      };
      byPerson.set(personaId, [generation, ...own(personaId)].slice(0, KEPT_PER_PERSON));
      return tell(generation);
    },
    find(personaId, id) {
      const generation = own(personaId).find((one) => one.id === id);
      if (!generation) return null;
      const told = tell(generation);
      if (told.output) told.output.bytes = drawPicture(generation.prompt).length;
      return told;
    },
    list(personaId, { limit, cursor }) {
      const count = limit === null ? DEFAULT_PAGE : Number(limit);
      if (!Number.isInteger(count) || count < 1 || count > MAX_PAGE) return null;
      const before = cursor === null ? Infinity : readCursor(cursor);
      if (before === null) return null;

      const rest = own(personaId).filter((one) => one.sequence < before);
      const items = rest.slice(0, count);
      const last = items.at(-1);
      return {
        items: items.map(tell),
        next_cursor: last && rest.length > count ? writeCursor(last.sequence) : null,
      };
    },
    output(personaId, id) {
      const generation = own(personaId).find((one) => one.id === id);
      if (!generation || tell(generation).status !== 'succeeded') return null;
      return drawPicture(generation.prompt);
    },
    setDuration(ms) {
      durationMs = ms;
    },
  };
}

function toJson(generation: Generation, now: number): GenerationJson {
  const { id, prompt, createdAt, durationMs } = generation;
  const share = durationMs <= 0 ? 1 : Math.min(1, Math.max(0, (now - createdAt) / durationMs));
  const fails = prompt.toLowerCase().includes(FAILURE_WORDS) && share >= FAILURE_SHARE;
  const progress = fails ? FAILURE_SHARE : share;

  let status: GenerationJson['status'] = 'running';
  if (fails) status = 'failed';
  else if (share >= 1) status = 'succeeded';
  else if (share < QUEUED_SHARE) status = 'queued';

  return {
    id,
    prompt,
    status,
    progress: Math.round(progress * 100) / 100,
    created_at: new Date(createdAt).toISOString(),
    output:
      status === 'succeeded'
        ? { content_type: 'image/png', width: PICTURE_SIZE, height: PICTURE_SIZE }
        : null,
    error: fails
      ? { code: 'generation_failed', message: 'The picture could not be made from this prompt.' }
      : null,
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
