/** Markdown that a tool writes: what it puts in of others is text, and does nothing (M12). */
import { oneLine, visibleLines } from './format.ts';

/** Made here alone, so that no tool can give anyone's text for Markdown. */
class Written {
  // A private member makes the type its own: no other object is one.
  declare private readonly isMarkdown: true;
  constructor(readonly text: string) {}
}

export type Markdown = Written;

/**
 * Markdown with values in it: ``line`- **Email**: ${email}` ``. A string is anyone's text: it is escaped, and
 * stands on one line. Markdown stays Markdown.
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

/** A line each; what is undefined is left out. */
export function lines(...parts: readonly (Markdown | undefined)[]): Markdown {
  return joined(parts, '\n');
}

/** A paragraph, a heading or a list each; what is undefined is left out. */
export function blocks(...parts: readonly (Markdown | undefined)[]): Markdown {
  return joined(parts, '\n\n');
}

function joined(parts: readonly (Markdown | undefined)[], separator: string): Markdown {
  let text: string | undefined;
  for (const part of parts) {
    if (part !== undefined) text = text === undefined ? part.text : text + separator + part.text;
  }
  return new Written(text ?? '');
}

/** Anyone's text of many lines, as prose: a block of its own, in which nothing is markup. */
export function quote(text: string): Markdown {
  const written = visibleLines(text.trim()).map((one) => `> ${escaped(one)}`.trimEnd());
  return new Written(written.join('\n'));
}

/**
 * Anyone's text of many lines as it stands, such as code or a log: a block of its own, which the text cannot end.
 *
 * @param language Such as `json`, for whoever colours it.
 */
export function fence(text: string, language = ''): Markdown {
  const written = visibleLines(text).join('\n').replace(/\n$/, '');
  const longest = Math.max(2, ...(written.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(longest + 1);
  return new Written(`${marks}${language.replace(/[^\w+#.-]/g, '')}\n${written}\n${marks}`);
}

/** A display name, and the id that other tools take. */
export function nameWithId(name: string, id: string): Markdown {
  return line`${name} (${id})`;
}

/**
 * What Markdown would take for markup: emphasis, code, links and images, HTML and entities, tables, and
 * at the start of a line headings, lists, quotes and rules. A mark inside a word (`user_1`, `C#`,
 * `a-b`) is none, and stays as it is.
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
 * The most names, addresses and ids: Latin letters, digits and signs that mark nothing up, one space
 * at a time. Asked first, since it takes a tenth of the time of the rest.
 */
const plain =
  /^[A-Za-z\u00c0-\u024f](?:[A-Za-z\u00c0-\u024f0-9.,:;'@/()+?-]|_(?=[A-Za-z0-9])(?<=[A-Za-z0-9]_)| (?=\S))*$/;

/** Shown as the text that it is, on one line. A bare address stays readable, and so may become a link. */
function escaped(text: string): string {
  if (plain.test(text)) return text;
  return oneLine(text).replace(markup, (marks) => marks.replace(/./gu, '\\$&'));
}
