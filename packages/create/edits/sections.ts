/** Removes the sections of a Markdown document with the given headings, each with the sections below it. */
export function withoutSections(text: string, headings: readonly string[]): string {
  let level = 0;
  let fence = '';
  return text
    .split('\n')
    .filter((line) => {
      // In a block of code, `##` begins a comment.
      const [edge = ''] = /^(```+|~~~+)/.exec(line) ?? [];
      if (edge !== '' && (fence === '' || edge.startsWith(fence))) fence = fence === '' ? edge : '';
      const [, marks = '', title = ''] = (fence === '' && /^(##+) (.+)$/.exec(line)) || [];
      if (marks !== '' && (level === 0 || marks.length <= level)) {
        level = headings.includes(title) ? marks.length : 0;
      }
      return level === 0;
    })
    .join('\n')
    .trimEnd()
    .concat('\n');
}
