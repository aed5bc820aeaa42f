/** The contract's map after files have gone: its tables name no test and no code that is not there. */
import path from 'node:path';

/** What stands where nothing is left: the rule holds, and nothing here tries it. */
export const untried = 'no test of this site';

/**
 * @param gone - The files that go.
 * @param kept - The files that stay. The map names tests by their last name alone.
 */
export function withoutGoneFiles(
  map: string,
  gone: ReadonlySet<string>,
  kept: ReadonlySet<string>,
): string {
  const last = (files: ReadonlySet<string>) =>
    new Set([...files].map((file) => path.posix.basename(file)));
  const [goneNames, keptNames] = [last(gone), last(kept)];
  const isGone = (name: string) =>
    gone.has(name) || (goneNames.has(name) && !keptNames.has(name) && !name.includes('/'));
  return map
    .split('\n')
    .map((line) => (/^\| [WM]\d\d /.test(line) ? rowWithout(line, isGone) : line))
    .join('\n');
}

function rowWithout(row: string, isGone: (name: string) => boolean): string {
  return row
    .split('|')
    .map((cell) => {
      const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      if (!names.some(isGone)) return cell;
      const rest = names.filter((name) => !isGone(name)).map((name) => `\`${name}\``);
      return ` ${rest.join(', ') || untried} `;
    })
    .join('|');
}
