/** Removes the sections of a Markdown document with the given headings, each with the sections below it. */
export function withoutSections(text: string, headings: readonly string[]): string {
  let level = 0;
  return text
    .split('\n')
    .filter((line) => {
      const [, marks = '', title = ''] = /^(##+) (.+)$/.exec(line) ?? [];
      if (marks !== '' && (level === 0 || marks.length <= level)) {
        level = headings.includes(title) ? marks.length : 0;
      }
      return level === 0;
    })
    .join('\n')
    .trimEnd()
    .concat('\n');
}
