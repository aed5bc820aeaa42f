/** Registries: files of lines such as `export { default as notes } from './notes/feature';`, one for each feature. */
import path from 'node:path';
import { isIn } from '../request/parts.ts';

const reexport = /^export .* from '(\.[^']*)';$/;

/** Removes the lines that export what stands in a removed place. */
export function withoutReexports(file: string, text: string, places: readonly string[]): string {
  if (!file.endsWith('.ts')) return text;
  const folder = path.posix.dirname(file);
  return text
    .split('\n')
    .filter((line) => {
      const target = reexport.exec(line)?.[1];
      return target === undefined || !isIn(places, path.posix.join(folder, target));
    })
    .join('\n');
}
