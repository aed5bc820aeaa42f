/** The shape and limits of a note, shared by server and browser. The server validates. */
import { isBlank, formBytes, truncate } from '@gatehouse/frame';

/** In characters. */
export const noteLimits = { title: 200, text: 20_000, tag: 40 };

export const mostTags = 12;

/** The longest form of a note, with some room for its other fields. */
export const noteFormBytes =
  (noteLimits.title + noteLimits.text + mostTags * (noteLimits.tag + 2)) * formBytes + 16 * 1024;

/** In characters. Of a longer query, the beginning is searched for. */
export const queryMaxLength = 200;

/** The part of a note that its author writes. */
export interface NoteWords {
  title: string;
  text: string;
  tags: string[];
}

/** A note as its owner sees it. */
export interface Note extends NoteWords {
  id: string;
  pinned: boolean;
  /** Incremented on every save: saving an outdated version is rejected. */
  version: number;
  /** ISO 8601. */
  updatedAt: string;
}

/** A note in the list, with only the beginning of its text. */
export type NoteSummary = Omit<Note, 'version'>;

/** Tags as they are typed: `work, home`. */
export function tagsText(tags: readonly string[]): string {
  return tags.join(', ');
}

/** The title to display for a note, which may have none. */
export function titleOfNote({ title, text }: Pick<NoteWords, 'title' | 'text'>): string {
  const lines = text.split('\n').filter((line) => !isBlank(line));
  // Not a line of dashes.
  const first = lines.find((some) => /[\p{L}\p{N}]/u.test(some)) ?? lines[0] ?? 'Untitled';
  const shown = isBlank(title) ? truncate(first.trim(), 80) : title;
  return shown.replaceAll(directions, '');
}

/** Embeddings, overrides and isolates: an unfinished one would reach what follows the title. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;
