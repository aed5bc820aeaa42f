/**
 * Safe website data (W20): everything a browser receives about a generation. Shared by server and
 * browser.
 */

export const generationKinds = ['picture', 'clip'] as const;
export type GenerationKind = (typeof generationKinds)[number];

export const aspectRatios = ['1:1', '4:3', '3:4', '16:9', '9:16'] as const;
export type AspectRatio = (typeof aspectRatios)[number];

export type GenerationStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';

/** Why it failed: the site's own code, never the platform's text. */
export type GenerationFailure = 'prompt_refused' | 'provider_failed' | 'timed_out' | 'unknown';

export interface Generation {
  id: string;
  kind: GenerationKind;
  prompt: string;
  aspectRatio: AspectRatio;
  status: GenerationStatus;
  /** 0 to 1. */
  progress: number;
  /** ISO 8601. */
  createdAt: string;
  /** Credits. */
  cost: number;
  failure: GenerationFailure | null;
  /** Ids of the visitor's media that were used as references. */
  references: string[];
  /** The finished file. Null until then. */
  output: GenerationOutput | null;
}

export interface GenerationOutput {
  url: string;
  filename: string;
  contentType: string;
  width: number | null;
  height: number | null;
  /** Duration of a clip. */
  seconds: number | null;
}

export interface GenerationPage {
  /** Newest first. */
  items: Generation[];
  /** Requests the next page. Null on the last one. */
  nextCursor: string | null;
}

export const statusFilters = ['pending', 'succeeded', 'failed', 'canceled'] as const;

export interface GenerationFilter {
  kind?: GenerationKind | undefined;
  /** `pending` is queued or running. */
  status?: (typeof statusFilters)[number] | undefined;
}

/** An order: one generation per prompt. */
export interface Order {
  /** 1 to {@link promptsMax}. */
  prompts: string[];
  kind: GenerationKind;
  aspectRatio: AspectRatio;
  /** Ids of the visitor's media, at most {@link referencesMax}. */
  references: string[];
}

export interface Estimate {
  /** Credits. */
  total: number;
  /** Credits of one generation. */
  each: number;
  /** Whether the balance covers the total. */
  covered: boolean;
  balance: number;
}

/** In characters. */
export const promptMaxLength = 2_000;
export const promptsMax = 6;
export const referencesMax = 4;

/** Allowed media types of an output, and the extension of each. */
export const outputExtensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
]);

/** An order with the default options: square pictures without references. */
export function orderOf(...prompts: string[]): Order {
  return { prompts, kind: 'picture', aspectRatio: '1:1', references: [] };
}

export function isPending({ status }: Pick<Generation, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}
