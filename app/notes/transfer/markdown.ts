/**
 * Notes as Markdown: each begins with a comment that holds what Markdown has no place for, then its title as a
 * heading, then its text.
 *
 *     <!-- note {"tags":["home"],"pinned":false} -->
 *     # Title
 *
 *     Text
 *
 * A file without such a comment is one note. What looks like one within a text has a backslash before it.
 */

import type { NoteWords } from '../note';

/** What an imported note is checked by says what it must be. */
export type UncheckedNote = Record<string, unknown>;

const begin = /^<!-- note (\{.*\}) -->$/;
const guarded = /^\\*<!-- note /gm;

export function writeMarkdown({ title, text, ...rest }: NoteWords): string {
  // In JSON a `>` may be written otherwise, so that no tag ends the comment.
  const about = JSON.stringify(rest).replaceAll('>', String.raw`\u003e`);
  const body = text.replaceAll(guarded, String.raw`\$&`);
  return `<!-- note ${about} -->\n# ${title}\n\n${body}\n\n`;
}

export function readMarkdown(file: string): UncheckedNote[] {
  const notes: { about: UncheckedNote; lines: string[] }[] = [];
  const text = file.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const about = aboutOf(line);
    if (about) notes.push({ about, lines: [] });
    else if (notes.length === 0) notes.push({ about: {}, lines: [line] });
    else notes.at(-1)?.lines.push(line);
  }
  return notes
    .map(({ about, lines }) => ({ ...about, ...wordsOf(lines) }))
    .filter(({ title, text }) => title || text.trim());
}

function wordsOf(lines: string[]): { title: string; text: string } {
  const [first = '', ...rest] = lines;
  const title = /^# ?(.*)$/.exec(first)?.[1];
  const body = (title === undefined ? lines : rest).map((line) =>
    /^\\+<!-- note /.test(line) ? line.slice(1) : line,
  );
  // The empty lines around a text are the file's.
  const text = body.join('\n').replace(/^\n/, '').replace(/\n$/, '');
  return { title: title ?? '', text };
}

function aboutOf(line: string): UncheckedNote | null {
  const [, json] = begin.exec(line) ?? [];
  if (json === undefined) return null;
  try {
    return JSON.parse(json) as UncheckedNote;
  } catch {
    return null;
  }
}
