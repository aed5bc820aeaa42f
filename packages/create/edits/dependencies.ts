/** Finds dependencies that only the removed files used. */
import path from 'node:path';
import { parseJson, type Manifest } from './manifests.ts';
import { ts } from './typescript.ts';

const lockFile = 'package-lock.json';

interface Lock {
  packages?: Record<string, { bin?: Record<string, string>; link?: true; resolved: string }>;
}

/**
 * @param texts - All files before the removal.
 * @param after - Those that stay, without the lines that go.
 * @param beside - What packages use of the site's dependencies: see `besideOf`.
 * @returns The unneeded dependencies, by manifest, such as `package.json`.
 */
export function unneededDependencies(
  texts: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  beside: Readonly<Record<string, string[]>>,
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
    const used = (text: string) =>
      imported(file, text).flatMap((name) => [name, ...(beside[name] ?? [])]);
    const kept = used(after.get(file) ?? '');
    for (const name of new Set(used(text))) {
      const isKept = kept.includes(name);
      const by = isKept ? users.kept : users.gone;
      for (const owner of ownersOf(file, name, manifests).slice(0, isKept ? 1 : undefined)) {
        by.set(owner, (by.get(owner) ?? new Set()).add(name).add(typesOf(name)));
      }
    }
  }
  const packages = [...manifests].filter(([folder]) => folder.startsWith('packages/'));
  return new Map(
    [...users.gone]
      .filter(([folder]) => after.has(path.posix.join(folder, 'package.json')))
      .map(([folder, names]) => {
        const manifest = manifests.get(folder) ?? {};
        const unused = [...names]
          .filter((name) => !users.kept.get(folder)?.has(name))
          .filter((name) => name in declared(manifest))
          .filter((name) => !isRun(name, manifest, lock))
          .filter((name) => !isOverride(name, manifest));
        const stay = packages.filter(
          ([, { name = '' }]) => name in declared(manifest) && !unused.includes(name),
        );
        const others = stay.flatMap(([place, own]) => importedBeside(place, own, texts));
        const unneeded = unused.filter((name) => !others.includes(name));
        return [path.posix.join(folder, 'package.json'), unneeded.sort()];
      }),
  );
}

export function declared(manifest: Manifest = {}): Record<string, string> {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return { ...dependencies, ...devDependencies, ...optionalDependencies };
}

/** Whether a script runs one of the package's programs, as `tsc` is one of `typescript`. */
function isRun(name: string, manifest: Manifest = {}, { packages = {} }: Lock): boolean {
  const installed = packages[`node_modules/${name}`];
  // A package of this repository is a link to its folder.
  const { bin = {} } =
    packages[installed?.link ? installed.resolved : `node_modules/${name}`] ?? {};
  const programs = Object.keys(bin);
  const words = Object.values(manifest.scripts ?? {}).flatMap((command) => command.split(/\s+/));
  return programs.some((program) => words.includes(program));
}

/** Whether `overrides` takes the package's version from the dependency, as `$vite` does. */
function isOverride(name: string, { overrides }: Manifest = {}): boolean {
  return JSON.stringify(overrides ?? {}).includes(`"$${name}"`);
}

/**
 * What a package imports and does not depend on, such as Vite: the site lists it among its tools, so that it is not installed in
 * production.
 */
function importedBeside(
  place: string,
  { dependencies = {} }: Manifest,
  texts: ReadonlyMap<string, string>,
): string[] {
  return [...texts]
    .filter(([file]) => file.startsWith(`${place}/`) && /\.([cm]?[jt]sx?)$/.test(file))
    .filter(([file]) => !/\.(test|spec)\.|\/test\//.test(file))
    .flatMap(([file, text]) => imported(file, text))
    .filter((name) => !(name in dependencies));
}

/** The tools of the site, such as better-auth, that each package imports, by the package's name. */
export function besideOf(
  packages: ReadonlyMap<string, Manifest>,
  texts: ReadonlyMap<string, string>,
): Record<string, string[]> {
  return Object.fromEntries(
    [...packages]
      .map(([folder, own]): [string, string[]] => {
        const names = new Set(importedBeside(`packages/${folder}`, own, texts));
        const tools = [...names].filter((name) => name in (own.devDependencies ?? {}));
        return [own.name ?? folder, tools.sort()];
      })
      .filter(([, names]) => names.length > 0),
  );
}

/** The folders above a file whose manifests declare the package, the nearest one first. */
function ownersOf(file: string, name: string, manifests: ReadonlyMap<string, Manifest>): string[] {
  const owners: string[] = [];
  for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
    const known = declared(manifests.get(folder));
    if (name in known || typesOf(name) in known) owners.push(folder);
    if (folder === '.') return owners;
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
