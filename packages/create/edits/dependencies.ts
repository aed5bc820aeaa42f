/** Finds dependencies that only the removed files used. */
import path from 'node:path';
import { parseJson, type Manifest } from './manifests.ts';
import { ts } from './typescript.ts';

const lockFile = 'package-lock.json';

interface Lock {
  packages?: Record<string, { bin?: Record<string, string> }>;
}

/**
 * @param texts - All files before the removal.
 * @param goes - Whether a file is removed.
 * @returns The unneeded dependencies, by manifest, such as `package.json`.
 */
export function unneededDependencies(
  texts: ReadonlyMap<string, string>,
  goes: (file: string) => boolean,
): Map<string, string[]> {
  const manifests = new Map(
    [...texts]
      .filter(([file]) => path.posix.basename(file) === 'package.json')
      .map(([file, text]) => [path.posix.dirname(file), parseJson(file, text) as Manifest]),
  );
  const lock = parseJson(lockFile, texts.get(lockFile) ?? '{}') as Lock;
  const users = { kept: new Map<string, Set<string>>(), gone: new Map<string, Set<string>>() };
  for (const [file, text] of texts) {
    if (!/\.([cm]?[jt]sx?|css)$/.test(file)) continue;
    for (const name of new Set(imported(file, text))) {
      const owner = ownerOf(file, name, manifests);
      if (owner === null) continue;
      const by = goes(file) ? users.gone : users.kept;
      by.set(owner, (by.get(owner) ?? new Set()).add(name).add(typesOf(name)));
    }
  }
  const isGone = (folder: string) => goes(path.posix.join(folder, 'package.json'));
  // Workspaces, which nothing can need: the lines that import them go with them.
  const workspaces = [...manifests].filter(([folder]) => isGone(folder));
  const names = new Set(workspaces.flatMap(([, { name = [] }]) => name));
  return new Map(
    [...manifests]
      .filter(([folder]) => !isGone(folder))
      .map(([folder, manifest]): [string, string[]] => {
        const isUnneeded = (name: string) =>
          names.has(name) ||
          (users.gone.get(folder)?.has(name) &&
            !users.kept.get(folder)?.has(name) &&
            !isRun(name, manifest, lock));
        const unneeded = Object.keys(declared(manifest)).filter(isUnneeded).sort();
        return [path.posix.join(folder, 'package.json'), unneeded];
      })
      .filter(([, unneeded]) => unneeded.length > 0),
  );
}

export function declared(manifest: Manifest = {}): Record<string, string> {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return { ...dependencies, ...devDependencies, ...optionalDependencies };
}

/** Whether a script runs one of the package's programs, as `tsc` is one of `typescript`. */
function isRun(name: string, manifest: Manifest = {}, { packages = {} }: Lock): boolean {
  const programs = Object.keys(packages[`node_modules/${name}`]?.bin ?? {});
  const words = Object.values(manifest.scripts ?? {}).flatMap((command) => command.split(/\s+/));
  return programs.some((program) => words.includes(program));
}

/** The folder of the nearest manifest above a file that declares the package. */
function ownerOf(
  file: string,
  name: string,
  manifests: ReadonlyMap<string, Manifest>,
): string | null {
  for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
    const known = declared(manifests.get(folder));
    if (name in known || typesOf(name) in known) return folder;
    if (folder === '.') return null;
  }
}

/** The packages that a file imports, in any form. */
function imported(file: string, text: string): string[] {
  const specifiers = file.endsWith('.css')
    ? [...text.matchAll(/@(?:import|plugin|config) ['"]([^'"]+)['"]/g)].map(([, name = '']) => name)
    : ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return specifiers.flatMap((name) => /^(?:@[\w.-]+\/)?[a-z\d][\w.-]*(?=\/|$)/i.exec(name) ?? []);
}

/** `@types/pngjs` for `pngjs`, `@types/scope__name` for `@scope/name`. */
function typesOf(name: string): string {
  return `@types/${name.replace(/^@(.+)\//, '$1__')}`;
}
