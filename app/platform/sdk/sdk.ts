/** Safe website data (W20): all that a browser receives of the SDK. Shapes that both sides use. */

export type GenerationStatus = 'queued' | 'running' | 'succeeded' | 'failed';

export interface Generation {
  id: string;
  prompt: string;
  status: GenerationStatus;
  /** 0 to 1. */
  progress: number;
  /** ISO 8601. */
  createdAt: string;
  /** Where the finished picture is, and what it is. Null until then. */
  output: { url: string; filename: string; width: number | null; height: number | null } | null;
}

export interface GenerationPage {
  /** Newest first. */
  items: Generation[];
  /** Asks for the page after this one. Null on the last. */
  nextCursor: string | null;
}

/** A file that the platform keeps for the visitor. */
export interface Media {
  id: string;
  contentType: string;
  bytes: number;
}

export const promptMaxLength = 2_000;

/** Media types a picture may have, and the extension of each. */
export const pictureExtensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
]);

/** Media types that a visitor may upload. */
export const uploadTypes: readonly string[] = [...pictureExtensions.keys(), 'video/mp4'];

/** Bytes of one upload. */
export const uploadMaxBytes = 100 * 1024 * 1024;

export function isPending(generation: Generation): boolean {
  return generation.status === 'queued' || generation.status === 'running';
}
