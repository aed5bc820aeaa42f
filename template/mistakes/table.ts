/** The tables "Mistakes and what catches them" of docs/security.md, and of the pages of each kind of account. */
import { readFileSync } from 'node:fs';

export interface Row {
  mistake: string;
  /** The text of the cell that names the layers and lint rules. */
  who: string;
}

export function readRows(): Row[] {
  return ['security.md', 'platform/security.md', 'accounts/security.md'].flatMap((name) => {
    const page = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
    const [, rest = ''] = page.split('\n## Mistakes and what catches them\n');
    const [section = ''] = rest.split('\n## ');
    const [, , ...lines] = section.split('\n').filter((line) => line.startsWith('|'));
    return lines.map((line) => {
      const [, mistake = '', who = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return { mistake, who };
    });
  });
}
