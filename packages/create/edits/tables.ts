/** Updates tables and links in documents after files were removed. */
import path from 'node:path';
import { isIn } from '../request/parts.ts';

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

/** Links to a package's documents lead to those that are installed. */
export function installedLinks(text: string): string {
  return text.replaceAll(
    /(?<=\]\((?:\.\.\/)*)packages\/([^/)]+)\//g,
    'node_modules/@gatehouse/$1/',
  );
}

/** Placeholders for empty cells: the rule still applies, but nothing here tests it. */
const untried = 'no test of this site';
const ofPackages = 'tests of the packages';
const unkept = 'not in this site';

/** A cell that consists of a list of files. */
const list = /^ *`[^`]+`(?:, `[^`]+`)* *$/;

const isRule = /^[A-Z]\d\d$/;

/**
 * Removes missing tests and code from the contract's map. A rule also loses a test that no longer mentions its id.
 *
 * @param gone - The removed files.
 * @param kept - The texts of the remaining files. The map names tests by their base name only.
 */
export function withoutGoneFiles(
  map: string,
  gone: ReadonlySet<string>,
  kept: ReadonlyMap<string, string>,
): string {
  const goneNames = new Set([...gone].map((file) => path.posix.basename(file)));
  const packageTests = new Set(
    [...gone].filter(isOfPackage).map((file) => path.posix.basename(file)),
  );
  const keptTexts = new Map<string, string>();
  for (const [file, text] of kept) {
    const name = path.posix.basename(file);
    keptTexts.set(name, (keptTexts.get(name) ?? '') + text);
  }
  const stays = (name: string, row: string) => {
    if (gone.has(name)) return false;
    if (name.includes('/')) return true;
    const text = keptTexts.get(name);
    if (text === undefined) return !goneNames.has(name);
    return !isRule.test(row) || text.includes(row);
  };
  return map
    .split('\n')
    .map((line) => (/^\|.*\|$/.test(line) ? rowWith(line, stays, packageTests) : line))
    .join('\n');
}

const isOfPackage = (file: string) => file.startsWith('packages/');

function rowWith(
  row: string,
  stays: (name: string, row: string) => boolean,
  packageTests: ReadonlySet<string>,
): string {
  const cells = row.split('|');
  const [, first = ''] = cells;
  return cells
    .map((cell, index) => {
      if (!list.test(cell)) return cell;
      const all = cell.match(/(?<=`)[^`,]+(?=`)/g) ?? [];
      const names = all
        .filter((name) => isOfPackage(name) || stays(name, first.trim()))
        .map((name) => `\`${name.replace(/^packages\/([^/]+)\/.*/, '@gatehouse/$1')}\``);
      const none = all.some((name) => packageTests.has(name)) ? ofPackages : untried;
      return ` ${[...new Set(names)].join(', ') || (index === cells.length - 2 ? none : unkept)} `;
    })
    .join('|');
}
