/** Registries: files of lines such as `export { default as notes } from './notes/feature';`, one for each feature. */
import path from 'node:path';
import { isIn } from '../features.ts';

const line = /^export (?:\*|\{.*\}|\* as \w+) from (['"])(.+)\1;$/;

export const isSource = (file: string) => /^(app|e2e)\/.*\.tsx?$/.test(file);

/** Removes the lines whose module stands in a removed place. */
export function withoutLines(file: string, text: string, places: readonly string[]): string {
  if (!isSource(file)) return text;
  return text
    .split('\n')
    .filter((each) => !leadsTo(file, line.exec(each)?.[2], places))
    .join('\n');
}

/** The names that a registry exports. */
export function exportsOf(text: string): string[] {
  return [...text.matchAll(/^export \{ (?:\w+ as )?(\w+) \} from /gm)].map(([, name = '']) => name);
}

/** Whether a file's import of a module leads to one of the places. */
export function leadsTo(
  file: string,
  module: string | undefined,
  places: readonly string[],
): boolean {
  if (module === undefined || !/^[.~]/.test(module)) return false;
  const target = module.startsWith('~/')
    ? path.posix.join('app', module.slice(2))
    : path.posix.join(path.posix.dirname(file), module);
  return ['', '.ts', '.tsx'].some((extension) => isIn(places, target + extension));
}
