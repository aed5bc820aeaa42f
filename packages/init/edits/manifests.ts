/** What JSON files at the root say of folders that go. */
import { isIn } from '../request/parts';
import { Refusal } from '../request/refusal';

export interface Manifest {
  name?: string;
  version?: string;
  description?: string;
  license?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  [field: string]: unknown;
}

/** @throws {Refusal} that names the file, when it holds no JSON. */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(`${file} is no JSON, so nothing was changed.`);
  }
}

/** Entries of lists and keys of objects that are one of the folders, or something in it. */
export function withoutFolders(json: unknown, folders: readonly string[]): unknown {
  const stays = (name: unknown) =>
    typeof name !== 'string' || !isIn(folders, name.replace(/^\.\//, '').replace(/\/$/, ''));
  if (Array.isArray(json)) {
    return json.filter(stays).map((entry) => withoutFolders(entry, folders));
  }
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json)
      .filter(([key]) => stays(key))
      .map(([key, value]) => [key, withoutFolders(value, folders)]),
  );
}

/**
 * Scripts without the steps that go: those that start something in a folder that goes, or run a script that
 * does. A script goes with its last step.
 */
export function withoutSteps(
  scripts: Record<string, string>,
  folders: readonly string[],
): Record<string, string> {
  const rest = Object.fromEntries(
    Object.entries(scripts)
      .map(([name, command]): [string, string] => {
        const steps = command
          .split(' && ')
          .filter((step) => !isOf(step, folders))
          .filter((step) => {
            const run = /^npm run (?:--silent )?([\w:-]+)/.exec(step)?.[1];
            return run === undefined || run in scripts || step.includes(' -w ');
          })
          .map((step) => withoutArguments(step, folders))
          .map((step) =>
            step.replaceAll(/ npm:([\w:-]+)/g, (all, run) => (run in scripts ? all : '')),
          );
        return [name, steps.join(' && ')];
      })
      .filter(([, command]) => command !== '')
      // What npm runs before and after a script that has gone.
      .filter(([name], _, rest) => {
        const main = name.replace(/^(pre|post)/, '');
        return !(main in scripts) || rest.some(([other]) => other === main);
      }),
  );
  // What a script that has just gone leaves behind in others.
  return JSON.stringify(rest) === JSON.stringify(scripts) ? rest : withoutSteps(rest, folders);
}

/** Whether a step starts what is in one of the folders, or is a script of such a workspace. */
function isOf(step: string, folders: readonly string[]): boolean {
  const words = step.split(/[\s'"=]+/).map((word) => word.replace(/^\.\//, ''));
  return words.some(
    (word, index) =>
      folders.some((folder) => new RegExp(`^${folder}/.`).test(word)) ||
      (/\.\w+$/.test(word) && folders.includes(word)) ||
      (words[index - 1] === '-w' && isIn(folders, word)),
  );
}

/** A step without arguments that are one of the folders, each with the option before it, or `"!folder/**"`. */
function withoutArguments(step: string, folders: readonly string[]): string {
  return folders.reduce(
    (rest, folder) =>
      rest.replaceAll(
        new RegExp(`( --[\\w-]+)? (${folder}/?|"!${folder}/\\*\\*")(?= |$)`, 'g'),
        '',
      ),
    step,
  );
}
