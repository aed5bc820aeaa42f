/** Builds the Markdown of a result. Interpolated values are escaped, so that they cannot add markup (M12). */
import { oneLine, visibleLines } from './format.ts';

/** Only this module creates instances, so that a tool cannot pass untrusted text as Markdown. */
class Written {
  // A private member makes the class nominal: no structurally equal object is assignable to it.
  declare private readonly isMarkdown: true;
  constructor(readonly text: string) {}
}

export type Markdown = Written;

/**
 * A template tag for one line of Markdown: ``line`- **Email**: ${email}` ``. Strings are escaped and reduced to one
 * line; Markdown values are inserted unchanged.
 */
export function line(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Markdown)[]
): Markdown {
  let text = parts[0] ?? '';
  let next = 0;
  for (const value of values) {
    if (typeof value === 'string') text += escaped(value);
    else text += typeof value === 'number' ? String(value) : value.text;
    text += parts[(next += 1)] ?? '';
  }
  return new Written(text);
}

/** A part of Markdown, or nothing: `team && line`- **Team**: ${team}``. */
export type Part = Markdown | '' | undefined;

/** Joins the parts as lines. Skips what is nothing. */
export function lines(...parts: readonly Part[]): Markdown {
  return joined(parts, '\n');
}

/**
 * Joins the parts as blocks, such as paragraphs and headings. An array is one block, such as a list: its lines have no
 * blank line between them. Skips what is nothing.
 */
export function blocks(...parts: readonly (Part | readonly Part[])[]): Markdown {
  return joined(
    parts.map((part) => (Array.isArray(part) ? listed(part as readonly Part[]) : (part as Part))),
    '\n\n',
  );
}

function listed(parts: readonly Part[]): Part {
  return parts.some(Boolean) ? lines(...parts) : undefined;
}

function joined(parts: readonly Part[], separator: string): Markdown {
  let text: string | undefined;
  for (const part of parts) {
    if (part) text = text === undefined ? part.text : text + separator + part.text;
  }
  return new Written(text ?? '');
}

/** Renders untrusted multi-line text as a block quote without markup. */
export function quote(text: string): Markdown {
  const written = visibleLines(text.trim()).map((row) => `> ${escaped(row)}`.trimEnd());
  return new Written(written.join('\n'));
}

/**
 * Renders untrusted multi-line text, such as code or a log, unchanged in a fenced code block. The fence is longer
 * than any in the text.
 *
 * @param language For syntax highlighting, such as `json`.
 */
export function fence(text: string, language = ''): Markdown {
  const written = visibleLines(text).join('\n').replace(/\n$/, '');
  // Not spread into `Math.max`: a text with a hundred thousand runs would overflow the stack.
  let longest = 2;
  for (const [run] of written.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const marks = '`'.repeat(longest + 1);
  return new Written(`${marks}${language.replace(/[^\w+#.-]/g, '')}\n${written}\n${marks}`);
}

/** Renders a display name followed by the id that other tools accept. */
export function nameWithId(name: string, id: string): Markdown {
  return line`${name} (${id})`;
}

/**
 * Matches what Markdown would interpret as markup: emphasis, code, links and images, HTML and entities, tables, and
 * at the start of a line headings, lists, quotes and rules. A mark inside a word (`user_1`, `C#`, `a-b`) is not
 * markup.
 */
const markup = new RegExp(
  [
    '[\\\\`*[\\]<|~]',
    '&(?=#?\\w+;)',
    '(?<![\\p{L}\\p{N}_])_+',
    '_+(?![\\p{L}\\p{N}_])',
    '^#{1,6}(?=\\s|$)',
    '(?<=\\s)#+$',
    '^[-+](?=\\s|$)',
    '^(?:-{2,}|=+|>)',
    '(?<=^\\d{1,9})[.)](?=\\s|$)',
  ].join('|'),
  'gu',
);

/**
 * Fast path, tested first because it takes a tenth of the time: most names, addresses and ids consist of Latin
 * letters, digits, harmless punctuation and single spaces.
 */
const plain =
  /^[A-Za-z\u00c0-\u024f](?:[A-Za-z\u00c0-\u024f0-9.,:;'@/()+?-]|_(?=[A-Za-z0-9])(?<=[A-Za-z0-9]_)| (?=\S))*$/;

/** Longer text skips the fast path, whose pattern overflows the stack at several million characters. */
const longestPlain = 10_000;

/** Escapes text for one line. A bare URL stays readable, and so a client may turn it into a link. */
function escaped(text: string): string {
  if (text.length <= longestPlain && plain.test(text)) return text;
  return oneLine(text).replace(markup, (marks) => marks.replace(/./gu, '\\$&'));
}
