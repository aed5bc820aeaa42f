/** What a note is, and how large it may be. Both sides know it; the server checks. */

/** Characters. */
export const noteLimits = { title: 200, text: 20_000, tag: 40 };

export const mostTags = 12;

/** What somebody writes. */
export interface NoteWords {
  title: string;
  text: string;
  tags: string[];
}

/** A note, as its owner's pages know it. */
export interface Note extends NoteWords {
  id: string;
  pinned: boolean;
  /** Counts the saves: a save of an older one is refused. */
  version: number;
  /** ISO 8601. */
  updatedAt: string;
}

/** A note in the list: of a long text the beginning. */
export type NoteSummary = Omit<Note, 'version'>;

/** `work, home` as they are typed. */
export function tagsText(tags: readonly string[]): string {
  return tags.join(', ');
}

/** What a note without a title is called. */
export function titleOfNote({ title, text }: Pick<NoteWords, 'title' | 'text'>): string {
  const [line = ''] = text.trim().split('\n', 1);
  return title || line.slice(0, 80) || 'Untitled';
}
