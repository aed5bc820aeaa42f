/**
 * Lines that belong to a removable part are marked: with `// sample: studio` at the end of a line, or around
 * a block
 *
 *     // sample: mcp
 *     …
 *     // /sample
 *
 * Code for one kind of account is marked likewise: `// auth: platform`, `// auth: accounts`, and `// /auth`.
 * A block without an end extends to the end of the file. Markdown uses `<!-- sample: mcp -->`, settings files
 * `# sample: mcp`, and JSX `{/* sample: mcp *\/}`.
 */
const opening = String.raw`(?:\/\/|#|<!--|\{?\/\*)\s*`;
const closing = String.raw`\s*(?:-->|\*\/\}?)?\s*\|?\s*$`;
const mark = new RegExp(`${opening}(?:sample|auth): ([a-z]+)${closing}`);
const end = new RegExp(`^\\s*${opening}/(?:sample|auth)${closing}`);

/** Removes the parts' marked lines; null if nothing is left. */
export function withoutMarked(text: string, parts: readonly string[]): string | null {
  if (!/(sample|auth): /.test(text)) return text;
  const blocks: string[] = [];
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const found = mark.exec(line);
    const part = found?.[1] ?? '';
    const alone = found !== null && line.slice(0, found.index).trim() === '';
    if (alone) blocks.push(part);
    const goes = [...blocks, part].some((one) => parts.includes(one));
    if (end.test(line)) blocks.pop();
    if (!goes) kept.push(line);
  }
  if (kept.length === text.split('\n').length) return text;
  const isNothing = (line: string) => line.replace(mark, '').trim() === '';
  return kept.every(isNothing) ? null : kept.join('\n');
}

const authMark = new RegExp(String.raw`\s*${opening}(?:auth: [a-z]+|/auth)${closing}`);

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
