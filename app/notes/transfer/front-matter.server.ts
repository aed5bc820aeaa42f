/**
 * YAML between lines of dashes at the beginning of a Markdown file, as site generators and other
 * programs for notes write it.
 */
import {
  isMap,
  isNode,
  isScalar,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
} from 'yaml';
import { FileProblem } from './reading.server';
import { invalidYaml, problemOf, unquoted, YamlProblem } from './yaml-problems.server';

export interface FrontMatter {
  /** The members that a note has, unchecked. */
  about: Record<string, unknown>;
  /** All other members and comments, as YAML. */
  rest: string;
  body: string[];
}

/** In characters. Parsing takes a time that grows with the square of the number of members. */
const longest = 4096;

const members = ['title', 'tags', 'date', 'pinned', 'createdAt', 'updatedAt'];

const firstMember = /^(?:"[^"]*"|'[^']*'|(?=[^\s\p{Punctuation}]|_)[^:]*):(?:\s|$)/u;
const knownMember = new RegExp(String.raw`^["']?(?:${members.join('|')})["']?\s*:(?:\s|$)`);

/**
 * Null for a file that begins with text, although this may begin with a line of dashes and then a
 * colon: a block without a member that a note has is text if it is not valid, or is a sentence.
 *
 * @throws {FileProblem}
 */
export function readFrontMatter(lines: readonly string[]): FrontMatter | null {
  if (lines[0]?.trimEnd() !== '---') return null;
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  const block = lines.slice(1, end);
  if (end === -1 || !firstMember.test(block.find((line) => /^[^#\s]/.test(line)) ?? ''))
    return null;
  const isAboutNote = block.some((line) => knownMember.test(line));
  const [sentence, ...others] = block.filter((line) => line.trim() !== '');
  if (!isAboutNote && others.length === 0 && /[.!?]["')*_]*$/.test(sentence?.trimEnd() ?? ''))
    return null;
  try {
    const body = lines.findIndex((line, at) => at > end && line.trim() !== '');
    return { ...read(block.join('\n')), body: body === -1 ? [] : lines.slice(body) };
  } catch (error) {
    if (isAboutNote || !(error instanceof YamlProblem)) throw error;
    return null;
  }
}

function read(yaml: string): Omit<FrontMatter, 'body'> {
  if (yaml.length > longest) {
    const problem = ` has more than ${longest} characters in the YAML block before its text`;
    throw new YamlProblem(`${problem}: move some of it into the text.`);
  }
  // All values are text, as written: `007` is not a number. An empty value or `null` is absent.
  const document = parseDocument(yaml, {
    schema: 'failsafe',
    customTags: ['null'],
    // A warning would print a part of the file.
    logLevel: 'error',
    prettyErrors: false,
  });
  const [error] = document.errors;
  if (error) throw problemOf(error, yaml, document);
  const { contents } = document;
  if (!isMap(contents)) throw invalidYaml(yaml, 0, 'write “name: value” in each line.');
  checkPlain(document, yaml);
  const about: Record<string, unknown> = {};
  const comments: string[] = [];
  for (const pair of [...contents.items]) {
    const member = memberOf(pair);
    if (member === undefined) continue;
    const value: unknown = isNode(pair.value) ? pair.value.toJS(document) : null;
    about[member] = member === 'pinned' ? (flags[String(value)] ?? value) : value;
    comments.push(...partsOf(pair).flatMap(commentsOf));
    document.delete(member);
  }
  const all =
    contents.items.length > 0
      ? document.toString({ lineWidth: 0 })
      : commentsOf(document).join('\n');
  return { about, rest: [all.trimEnd(), ...comments].filter(Boolean).join('\n') };
}

const flags: Readonly<Partial<Record<string, boolean>>> = { true: true, false: false };

/**
 * Rejects what would be lost from a value: anchors and tags of the members that are read, and
 * aliases. These are not resolved: a few lines of them can stand for gigabytes.
 */
function checkPlain(document: Document, yaml: string): void {
  const anchors = new Set<string>();
  visit(document, {
    Alias: (_, { source, range }) => {
      if (anchors.has(source))
        throw new FileProblem(' has a YAML alias (*): write its value instead.');
      throw unquoted(yaml, range?.[0] ?? 0);
    },
    Value: (_, { anchor }) => {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Pair: (_, pair) => {
      if (memberOf(pair) === undefined) return;
      for (const part of partsOf(pair))
        visit(part, {
          Value: (_, { anchor, tag, range }) => {
            const mark =
              anchor !== undefined ? `&${anchor}` : tag?.startsWith('!') ? '!' : undefined;
            if (mark !== undefined) throw unquoted(yaml, yaml.lastIndexOf(mark, range?.[0]));
          },
        });
    },
  });
}

function memberOf({ key }: Pair): string | undefined {
  return isScalar(key) && members.includes(String(key.value)) ? String(key.value) : undefined;
}

function partsOf({ key, value }: Pair): Node[] {
  return [key, value].filter((part) => isNode(part));
}

/** As lines of YAML. */
function commentsOf(part: Document | Node): string[] {
  const comments: (string | null | undefined)[] = isNode(part)
    ? []
    : [part.commentBefore, part.comment];
  visit(part, {
    Node: (_, node) => {
      comments.push(node.commentBefore, node.comment);
    },
  });
  return comments.flatMap((comment) =>
    comment ? comment.split('\n').map((line) => `#${line}`) : [],
  );
}
