import { Refusal } from '../request/refusal.ts';

/**
 * Lines that belong to a removable part are marked: with `// sample: studio` at the end of a line, or around
 * a block
 *
 *     // sample: mcp
 *     …
 *     // /sample
 *
 * Code for one kind of account is marked likewise: `// auth: platform`, `// auth: accounts`, and `// /auth`.
 * A block that begins the file may have no end: the whole file belongs to the part. Markdown uses
 * `<!-- sample: mcp -->`, settings files `# sample: mcp`, and JSX `{/* sample: mcp *\/}`.
 */
const opening = String.raw`(?:\/\/|#|<!--|\{?\/\*)\s*`;
const closing = String.raw`\s*(?:-->|\*\/\}?)?\s*\|?\s*$`;
const names = '(?:sample: (?:template|studio|notes|mcp)|auth: (?:platform|accounts))';
const mark = new RegExp(`${opening}(${names})${closing}`);
const end = new RegExp(`^\\s*${opening}/(?:sample|auth)${closing}`);

/**
 * Removes the parts' marked lines; null if nothing is left.
 *
 * @throws {Refusal} if a removed block has no end: everything after it would go, the site's own lines included.
 */
export function withoutMarked(file: string, text: string, parts: readonly string[]): string | null {
  if (!/(sample|auth): /.test(text)) return text;
  const blocks: string[] = [];
  const kept: string[] = [];
  let hasGone = false;
  for (const line of text.split('\n')) {
    const found = mark.exec(line);
    const part = found?.[1]?.replace(/^.*: /, '') ?? '';
    const alone = found !== null && line.slice(0, found.index).trim() === '';
    if (alone) blocks.push(part);
    const goes = [...blocks, part].some((one) => parts.includes(one));
    if (end.test(line)) blocks.pop();
    // Blank lines on both sides of a removed block become one.
    const isSpare: boolean = hasGone && line === '' && (kept.at(-1) ?? '') === '';
    if (!goes && !isSpare) kept.push(line);
    hasGone = goes || (hasGone && isSpare);
  }
  const unended = blocks.find((part) => parts.includes(part));
  const isWhole = kept.every((line) => line.replace(mark, '').trim() === '');
  if (unended !== undefined && !isWhole) {
    throw new Refusal(`A block of ${unended} has no end in ${file}, so nothing was changed.`);
  }
  if (kept.length === text.split('\n').length) return text;
  return isWhole ? null : kept.join('\n');
}

const authMark = new RegExp(
  String.raw`\s*${opening}(?:auth: (?:platform|accounts)|/auth)${closing}`,
);

/** Removes only the marks of the remaining kind of account. */
export function withoutAuthMarks(text: string): string {
  if (!text.includes('auth: ')) return text;
  return text
    .split('\n')
    .flatMap((line) => {
      // Keeps the closing bar of a table row.
      const rest = line.replace(authMark, (found) => (found.trimEnd().endsWith('|') ? ' |' : ''));
      return rest === '' && line !== '' ? [] : [rest];
    })
    .join('\n');
}
