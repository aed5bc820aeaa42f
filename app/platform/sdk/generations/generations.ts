/** Safe website data (W20): all that a browser receives of a generation. Shapes that both sides use. */

export const generationKinds = ['picture', 'clip'] as const;
export type GenerationKind = (typeof generationKinds)[number];

export const aspectRatios = ['1:1', '4:3', '3:4', '16:9', '9:16'] as const;
export type AspectRatio = (typeof aspectRatios)[number];

export type GenerationStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';

/** Why one failed: a code of the site's, never the platform's words. */
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
  /** Ids of the visitor's media that it was made from. */
  references: string[];
  /** Where the finished file is, and what it is. Null until then. */
  output: GenerationOutput | null;
}

export interface GenerationOutput {
  url: string;
  filename: string;
  contentType: string;
  width: number | null;
  height: number | null;
  /** How long a clip plays. */
  seconds: number | null;
}

export interface GenerationPage {
  /** Newest first. */
  items: Generation[];
  /** Asks for the page after this one. Null on the last. */
  nextCursor: string | null;
}

export const statusFilters = ['pending', 'succeeded', 'failed', 'canceled'] as const;

export interface GenerationFilter {
  kind?: GenerationKind | undefined;
  /** `pending` is queued or running. */
  status?: (typeof statusFilters)[number] | undefined;
}

/** What a visitor orders: one generation a prompt. */
export interface Order {
  /** 1 to {@link promptsMax}. */
  prompts: string[];
  kind: GenerationKind;
  aspectRatio: AspectRatio;
  /** Ids of media of the visitor's: at most {@link referencesMax}. */
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

export const promptMaxLength = 2_000;
export const promptsMax = 6;
export const referencesMax = 4;

/** Media types an output may have, and the extension of each. */
export const outputExtensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
]);

/** An order of the ordinary: square pictures, made from words alone. */
export function orderOf(...prompts: string[]): Order {
  return { prompts, kind: 'picture', aspectRatio: '1:1', references: [] };
}

export function isPending({ status }: Pick<Generation, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}
