/**
 * Notes as Markdown. Each begins with a comment holding the metadata that Markdown cannot express,
 * followed by its title as a heading and its text.
 *
 *     <!-- note {"tags":["home"],"pinned":false} -->
 *     # Title
 *
 *     Text
 *
 * A file without such a comment is a single note, which may have YAML front matter. A similar
 * comment within a text is escaped with a backslash; without it, the file is rejected, because the
 * notes around it would become one.
 */
import type { NoteWords } from '../note';
import { readFrontMatter } from './front-matter.server';
import { parseJson } from './json.server';
import { FileProblem } from './reading.server';

const begin = /^<!-- note (\{.*\}) -->\s*$/;
/** Without the braces, it may be a comment of another kind. */
const similar = /^[ \t]*<!--[ \t]*note(?![\w-])[ \t]*(\{)?/i;
/** Not with the flag `m`, which takes more characters for the end of a line than reading does. */
const guarded = /(^|\n)(\\*[ \t]*<!--[ \t]*note(?![\w-]))/gi;
const escaped = /^\\+[ \t]*<!--[ \t]*note(?![\w-])/i;

export function writeMarkdown({ title, text, ...rest }: NoteWords): string {
  // Escapes `>`, so that the JSON cannot end the comment.
  const about = JSON.stringify(rest).replaceAll('>', String.raw`\u003e`);
  const body = text.replaceAll(guarded, String.raw`$1\$2`);
  return `<!-- note ${about} -->\n# ${title}\n\n${body}\n\n`;
}

interface Section {
  about: Record<string, unknown>;
  /** Front matter that a note has no members for. It is kept in its text. */
  rest?: string;
  lines: string[];
}

/** @throws {FileProblem} */
export function notesInMarkdown(file: string): Record<string, unknown>[] {
  if (file.trim() === '') throw new FileProblem(' is empty: leave it out.');
  const lines = file.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  const { body = lines, ...first } = readFrontMatter(lines) ?? { about: {} };
  const sections: Section[] = [{ ...first, lines: [] }];
  const above = lines.length - body.length + 1;
  const hasComments = body.some((line) => begin.test(line));
  for (const [at, line] of body.entries()) {
    const [comment, brace] = similar.exec(line) ?? [];
    const isComment = comment !== undefined && (hasComments || brace !== undefined);
    if (isComment) sections.push({ about: aboutOf(line, at + above), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .filter(
      ({ about, rest, lines }, at) =>
        at > 0 || rest || Object.keys(about).length > 0 || lines.join('').trim() !== '',
    )
    .map(noteOf);
}

function noteOf({ about, rest, lines }: Section): Record<string, unknown> {
  const heading = /^# ?(.*)$/s.exec(lines[0] ?? '')?.[1];
  const isTitle = heading !== undefined && (about['title'] ?? heading) === heading;
  const body = (isTitle ? lines.slice(1) : lines).map((line) =>
    escaped.test(line) ? line.slice(1) : line,
  );
  // The blank lines around a text belong to the file format.
  const text = body.join('\n').replace(/^\n/, '').replace(/\n$/, '');
  const kept = rest ? `${text}\n\n---\n${rest}\n---`.trimStart() : text;
  return { ...about, ...(isTitle && { title: heading }), text: kept };
}

/** @throws {FileProblem} */
function aboutOf(line: string, number: number): Record<string, unknown> {
  const [, json = ''] = begin.exec(line) ?? [];
  try {
    const { text, ...about } = parseJson(json) as Record<string, unknown>;
    // Refused as unknown, because the text follows the comment.
    return { ...about, ...(text !== undefined && { 'text (in the comment)': text }) };
  } catch (error) {
    const reason =
      error instanceof FileProblem
        ? error.message
        : ': The comment does not begin a note. Write it like <!-- note {"tags":["home"]} -->, or with a backslash before it if it belongs to the text.';
    throw new FileProblem(`, line ${number}${reason}`);
  }
}
