/**
 * Notes as Markdown. Each begins with a comment holding the metadata that Markdown cannot express,
 * followed by its title as a heading and its text.
 *
 *     <!-- note {"tags":["home"],"pinned":false} -->
 *     # Title
 *
 *     Text
 *
 * A file without such a comment is a single note. A similar comment within a text is escaped with a
 * backslash.
 */

import type { NoteWords } from '../note';

/** A parsed note, not yet validated. */
export type UncheckedNote = Record<string, unknown>;

const begin = /^<!-- note (\{.*\}) -->$/;
const guarded = /^\\*<!-- note /gm;

export function writeMarkdown({ title, text, ...rest }: NoteWords): string {
  // Escapes `>`, so that the JSON cannot end the comment.
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
  // The blank lines around a text belong to the file format.
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
