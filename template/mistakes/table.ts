/** The table "Mistakes and what catches them" of docs/security.md. */
import { readFileSync } from 'node:fs';

export interface Row {
  mistake: string;
  /** The text of the cell that names the layers and lint rules. */
  who: string;
}

export function readRows(): Row[] {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Mistakes and what catches them\n');
  const [table = ''] = section.split('<!-- sample: mcp -->');
  const [, , ...lines] = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) => {
    const [, mistake = '', who = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { mistake, who };
  });
}
