/** Updates `package.json` and `tsconfig.json` for removed folders. */
import { isIn } from '../request/parts.ts';
import { Refusal } from '../request/refusal.ts';

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

/** @throws {Refusal} naming the file, if it is not valid JSON. */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(`${file} is not valid JSON, so nothing was changed.`);
  }
}

/** Removes list entries and object keys that are one of the folders, or within one. */
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

/** Removes list entries likewise, from the text of JSON with comments. */
export function withoutEntries(text: string, folders: readonly string[]): string {
  return text
    .replaceAll(/,?\s*"(?:\.\/)?([^"\n]*?)\/?"(?=\s*[,\]])/g, (all, name: string) =>
      isIn(folders, name) ? '' : all,
    )
    .replaceAll(/\[\s*,/g, '[');
}

/**
 * Removes steps of scripts that start something in a removed folder, or run a removed script. A script
 * without steps is removed.
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
          .map((step) => withoutParts(step, scripts))
          .filter((step) => step !== '' && !isOf(step, folders))
          .filter((step) => {
            const run = /^npm run (?:--silent )?([\w:-]+)/.exec(step)?.[1];
            return run === undefined || run in scripts || step.includes(' -w ');
          })
          .map((step) => withoutArguments(step, folders))
          .filter((step) => step !== '');
        return [name, steps.join(' && ')];
      })
      .filter(([, command]) => command !== '')
      // npm's hooks before and after a removed script.
      .filter(([name], _, rest) => {
        const main = name.replace(/^(pre|post)/, '');
        return !(main in scripts) || rest.some(([other]) => other === main);
      }),
  );
  // Repeats, because removing a script can affect others.
  return JSON.stringify(rest) === JSON.stringify(scripts) ? rest : withoutSteps(rest, folders);
}

/** Removes the parts of a test that are no scripts; empty if none is left. */
function withoutParts(step: string, scripts: Record<string, string>): string {
  const [program, parts] = /^(gatehouse-parts) (.*)/.exec(step)?.slice(1) ?? [];
  if (program === undefined || parts === undefined) return step;
  const groups = parts
    .split(' then ')
    .map((group) => group.split(' ').filter((part) => part in scripts))
    .filter((group) => group.length > 0)
    .map((group) => group.join(' '));
  return groups.length > 0 ? `${program} ${groups.join(' then ')}` : '';
}

/** Whether a step starts something in one of the folders, or a script of such a workspace. */
function isOf(step: string, folders: readonly string[]): boolean {
  const words = step.split(/[\s'"=]+/).map((word) => word.replace(/^\.\//, ''));
  return words.some(
    (word, index) =>
      folders.some((folder) => new RegExp(`^${folder}/.`).test(word)) ||
      (/\.\w+$/.test(word) && folders.includes(word)) ||
      (words[index - 1] === '-w' && isIn(folders, word)),
  );
}

/**
 * Removes arguments that are one of the folders, each with its preceding option, or `"!folder/**"`; empty if no argument is
 * left.
 */
function withoutArguments(step: string, folders: readonly string[]): string {
  const rest = folders.reduce(
    (rest, folder) =>
      rest.replaceAll(
        new RegExp(`( --[\\w-]+)? (${folder}/?|"!${folder}/\\*\\*")(?= |$)`, 'g'),
        '',
      ),
    step,
  );
  // Without one of them, a program would run on something else.
  return rest !== step && !/ [^- ]/.test(rest) ? '' : rest;
}
