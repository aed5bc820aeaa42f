/**
 * Lines that go with a part say so: `// sample: studio` at their end, or around several of them
 *
 *     // sample: mcp
 *     …
 *     // /sample
 *
 * What belongs to one kind of account is marked in the same way: `// auth: platform`, `// auth: accounts`, and
 * `// /auth`. A block without an end reaches to the end of the file. Markdown has `<!-- sample: mcp -->`, files of
 * settings `# sample: mcp`, and JSX `{/* sample: mcp *\/}`.
 */
const opening = String.raw`(?:\/\/|#|<!--|\{?\/\*)\s*`;
const closing = String.raw`\s*(?:-->|\*\/\}?)?\s*\|?\s*$`;
const mark = new RegExp(`${opening}(?:sample|auth): ([a-z]+)${closing}`);
const end = new RegExp(`^\\s*${opening}/(?:sample|auth)${closing}`);

/** The text without what is marked as one of the parts'; null when nothing is left of it. */
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

/** The text as it is where nothing but the marks of one kind of accounts goes. */
export function withoutAuthMarks(text: string): string {
  if (!text.includes('auth: ')) return text;
  return text
    .split('\n')
    .flatMap((line) => {
      // The end of a table's row stays.
      const rest = line.replace(authMark, (found) => (found.trimEnd().endsWith('|') ? ' |' : ''));
      return rest === '' && line !== '' ? [] : [rest];
    })
    .join('\n');
}
