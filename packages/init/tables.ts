/** Updates tables in documents after files were removed. */
import path from 'node:path';
import { isIn } from './parts';

/** Removes rows whose first cell names a removed folder and nothing else. */
export function withoutRows(text: string, folders: readonly string[]): string {
  return text
    .split('\n')
    .filter((line) => {
      const names = /^\|([^|]*)\|/.exec(line)?.[1]?.match(/`[^`]+`/g) ?? [];
      return names.length === 0 || !names.every((name) => isIn(folders, name.slice(1, -1)));
    })
    .join('\n');
}

/** Placeholders for empty cells: the rule still applies, but nothing here tests it. */
const untried = 'no test of this site';
const unkept = 'not in this site';

/** A cell that consists of a list of files. */
const list = /^ *`[^`]+`(?:, `[^`]+`)* *$/;

/**
 * Removes missing tests and code from the contract's map.
 *
 * @param gone - The removed files.
 * @param kept - The remaining files. The map names tests by their base name only.
 */
export function withoutGoneFiles(
  map: string,
  gone: ReadonlySet<string>,
  kept: ReadonlySet<string>,
): string {
  const last = (files: ReadonlySet<string>) =>
    new Set([...files].map((file) => path.posix.basename(file)));
  const [goneNames, keptNames] = [last(gone), last(kept)];
  const stays = (name: string) =>
    !gone.has(name) && (!goneNames.has(name) || keptNames.has(name) || name.includes('/'));
  return map
    .split('\n')
    .map((line) => (/^\|.*\|$/.test(line) ? rowWith(line, stays) : line))
    .join('\n');
}

function rowWith(row: string, stays: (name: string) => boolean): string {
  const cells = row.split('|');
  return cells
    .map((cell, index) => {
      if (!list.test(cell)) return cell;
      const names = cell.match(/`[^`]+`/g)?.filter((name) => stays(name.slice(1, -1))) ?? [];
      return ` ${names.join(', ') || (index === cells.length - 2 ? untried : unkept)} `;
    })
    .join('|');
}
