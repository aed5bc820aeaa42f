/** What JSON files at the root say of folders that go. */
import { isIn } from './parts';
import { Refusal } from './refusal';

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
 * Scripts without the steps that go: those that name a folder that goes or run a script that does. A
 * script goes with its last step.
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
          .filter((step) => !words(step).some((word) => isIn(folders, word)))
          .filter((step) => {
            const run = /^npm run (?:--silent )?([\w:-]+)(?! .*-w )/.exec(step)?.[1];
            return run === undefined || run in scripts || step.includes(' -w ');
          })
          .map((step) =>
            step
              .split(' ')
              .filter((word) => !word.startsWith('npm:') || word.slice(4) in scripts)
              .join(' '),
          );
        return [name, steps.join(' && ')];
      })
      .filter(([, command]) => command !== ''),
  );
  // What a script that has just gone leaves behind in others.
  return JSON.stringify(rest) === JSON.stringify(scripts) ? rest : withoutSteps(rest, folders);
}

function words(step: string): string[] {
  return step.split(/[\s'"=]+/).map((word) => word.replace(/^\.\//, ''));
}
