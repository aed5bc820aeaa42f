/**
 * YAML between lines of dashes at the beginning of a Markdown file, as site generators and other
 * programs for notes write it.
 */
import { isMap, parseDocument } from 'yaml';
import { FileProblem } from './reading.server';

export interface FrontMatter {
  /** The members that a note has, unchecked. */
  about: Record<string, unknown>;
  /** All other members, as YAML. */
  rest: string;
  body: string[];
}

/** In characters. Parsing takes a time that grows with the square of the number of members. */
const longest = 4096;

const members = ['title', 'tags', 'date', 'pinned', 'createdAt', 'updatedAt'];

/**
 * Null for a file that begins with text, although this may begin with a line of dashes.
 *
 * @throws {FileProblem}
 */
export function readFrontMatter(lines: readonly string[]): FrontMatter | null {
  if (lines[0]?.trimEnd() !== '---') return null;
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  const first = lines.slice(1, end).find((line) => /^[^#\s]/.test(line));
  if (end === -1 || !/^["']?[\w-]+["']?\s*:(?:\s|$)/.test(first ?? '')) return null;
  const yaml = lines.slice(1, end).join('\n');
  if (yaml.length > longest) {
    const problem = ` has more than ${longest} characters in the YAML block before its text`;
    throw new FileProblem(`${problem}: move some of it into the text.`);
  }
  // All values are text, as written: `007` is not a number. An empty value or `null` is absent.
  const document = parseDocument(yaml, {
    schema: 'failsafe',
    customTags: ['null'],
    // A warning would print a part of the file.
    logLevel: 'error',
  });
  const [error] = document.errors;
  if (error || !isMap(document.contents)) {
    // Counted from the line of dashes.
    const line = (error?.linePos?.[0].line ?? 1) + 1;
    const where = ` has invalid YAML in line ${line}, in the block before its text`;
    throw new FileProblem(`${where}: correct it. Quote a value that contains a colon.`);
  }
  const all = valueOf(document);
  const about: Record<string, unknown> = {};
  for (const member of members) {
    if (!document.delete(member)) continue;
    const value = all[member];
    about[member] = member === 'pinned' ? (flags[String(value)] ?? value) : value;
  }
  const rest = document.contents.items.length > 0 ? document.toString({ lineWidth: 0 }) : '';
  const body = lines.findIndex((line, at) => at > end && line.trim() !== '');
  return { about, rest: rest.trimEnd(), body: body === -1 ? [] : lines.slice(body) };
}

const flags: Readonly<Partial<Record<string, boolean>>> = { true: true, false: false };

/** Aliases are not resolved: a few lines of them can stand for gigabytes. */
function valueOf(document: ReturnType<typeof parseDocument>): Record<string, unknown> {
  try {
    return document.toJS({ maxAliasCount: 0 }) as Record<string, unknown>;
  } catch {
    throw new FileProblem(' has a YAML alias (*): write its value instead.');
  }
}
