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
 * comment within a text is escaped with a backslash.
 */
import type { NoteWords } from '../note';
import { readFrontMatter } from './front-matter.server';
import { FileProblem, type FileReader } from './reading.server';

const begin = /^<!-- note (\{.*\}) -->$/;
/** Not with the flag `m`, which takes more characters for the end of a line than reading does. */
const guarded = /(^|\n)(\\*<!-- note )/g;

export function writeMarkdown({ title, text, ...rest }: NoteWords): string {
  // Escapes `>`, so that the JSON cannot end the comment.
  const about = JSON.stringify(rest).replaceAll('>', String.raw`\u003e`);
  const body = text.replaceAll(guarded, String.raw`$1\$2`);
  return `<!-- note ${about} -->\n# ${title}\n\n${body}\n\n`;
}

/**
 * The size limit of the form bounds what is collected.
 *
 * @param add called with each note, unchecked.
 */
export function markdownReader(add: (value: unknown) => void): FileReader {
  let whole = '';
  return {
    write: (text) => {
      whole += text;
    },
    end: () => {
      if (whole.trim() === '') throw new FileProblem(' is empty: leave it out.');
      for (const note of notesIn(whole)) add(note);
    },
  };
}

interface Section {
  about: Record<string, unknown>;
  /** Front matter that a note has no members for. It is kept in its text. */
  rest?: string;
  lines: string[];
}

function notesIn(file: string): Record<string, unknown>[] {
  const lines = file.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  const { body = lines, ...first } = readFrontMatter(lines) ?? { about: {} };
  const sections: Section[] = [{ ...first, lines: [] }];
  for (const line of body) {
    const about = aboutOf(line);
    if (about) sections.push({ about, lines: [] });
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
    /^\\+<!-- note /.test(line) ? line.slice(1) : line,
  );
  // The blank lines around a text belong to the file format.
  const text = body.join('\n').replace(/^\n/, '').replace(/\n$/, '');
  const kept = rest ? `${text}\n\n---\n${rest}\n---`.trimStart() : text;
  return { ...about, ...(isTitle && { title: heading }), text: kept };
}

/** Null for a line of text. */
function aboutOf(line: string): Record<string, unknown> | null {
  const [, json] = begin.exec(line) ?? [];
  if (json === undefined) return null;
  try {
    const { text, ...about } = JSON.parse(json) as Record<string, unknown>;
    // Refused as unknown, because the text follows the comment.
    return { ...about, ...(text !== undefined && { 'text (in the comment)': text }) };
  } catch {
    return null;
  }
}
