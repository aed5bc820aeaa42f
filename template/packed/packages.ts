/** The packages as tarballs, and the empty folders that they are installed in. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Manifest } from '../../packages/create/edits/manifests.ts';
import { tarballOf, vendorFolder, withVendored } from '../../packages/create/vendor.ts';
import { packedOnce } from '../../packages/create/packing/made-once.ts';
import { readFiles } from '../../packages/create/repository.ts';

const root = path.resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

export const folders = (await readdir(path.join(root, 'packages'), { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** In the repository, by folder. */
export const manifests = new Map(
  await Promise.all(
    folders.map(async (folder): Promise<[string, PackageManifest]> => {
      const file = path.join(root, 'packages', folder, 'package.json');
      return [folder, JSON.parse(await readFile(file, 'utf8')) as PackageManifest];
    }),
  ),
);

export interface PackageManifest extends Manifest {
  name: string;
  exports: Record<string, string | { types: string; default?: string }>;
  bin?: Record<string, string>;
}

export async function packAll(): Promise<(folder: string) => string> {
  const { files } = await readFiles(root);
  const place = await packedOnce(root, files);
  return (folder) => path.join(place, tarballOf(manifests.get(folder) ?? {}));
}

export interface Installed {
  folder: string;
  /** The installed package's own. */
  manifest: PackageManifest;
  /** Where it is installed. */
  place: string;
  /** Runs a program in the folder, and resolves to its output. Rejects with it if the program fails. */
  run: (program: string, ...args: string[]) => Promise<string>;
  write: (file: string, text: string) => Promise<void>;
  /** What the last of the modules that write it down wrote into `values.json`. */
  values: () => Promise<[entry: string, names: string[]][]>;
  /** Installs further packages, in the versions that this repository uses. */
  add: (names: readonly string[]) => Promise<void>;
  remove: () => Promise<void>;
}

/** Types that every project in TypeScript installs for itself. */
const ofProjects = ['@types/node', '@types/react', '@types/react-dom'];

/**
 * Installs a package with those of the repository that it depends on, and nothing else.
 *
 * @param more - What the manifest of the folder has besides the dependencies.
 */
export async function install(folder: string, tarballs: string, more: object): Promise<Installed> {
  const { name } = manifests.get(folder) as PackageManifest;
  const place = await realpath(await mkdtemp(path.join(tmpdir(), `packed-${folder}-`)));
  await symlink(tarballs, path.join(place, vendorFolder));
  const own = { private: true, type: 'module', ...more, dependencies: { [name]: '*' } };
  const { manifest } = withVendored('.', own, manifests);
  const installed: Installed = {
    folder: place,
    manifest: {} as PackageManifest,
    place: path.join(place, 'node_modules', name),
    run: (program, ...args) => output(place, program, args),
    write: (file, text) => writeFile(path.join(place, file), text),
    values: async () =>
      JSON.parse(await readFile(path.join(place, 'values.json'), 'utf8')) as [string, string[]][],
    async add(names) {
      const versions = await versionsOf(folder);
      const wanted = names.map((name) => `${name}@${versions[name] ?? 'not in this repository'}`);
      await installed.run('npm', 'install', ...quiet, ...wanted);
    },
    remove: () => rm(place, { recursive: true }),
  };
  await installed.write('package.json', JSON.stringify(manifest));
  await installed.add(ofProjects);
  const text = await readFile(path.join(installed.place, 'package.json'), 'utf8');
  installed.manifest = JSON.parse(text) as PackageManifest;
  return installed;
}

const quiet = [
  '--prefer-offline',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

async function versionsOf(folder: string): Promise<Record<string, string | undefined>> {
  const site = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Manifest;
  const own = manifests.get(folder);
  // A tool that only another package's entry uses, through which this one needs it.
  const ofOthers = [...manifests.values()].map(({ devDependencies }) => devDependencies);
  return Object.assign({}, ...ofOthers, site.devDependencies, own?.devDependencies) as Record<
    string,
    string
  >;
}

async function output(cwd: string, program: string, args: readonly string[]): Promise<string> {
  const env = {
    PATH: `${path.join(cwd, 'node_modules/.bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
    HOME: process.env['HOME'],
    NO_COLOR: '1',
    CI: '1',
    // `@gatehouse/simulator/preload` has no meaning without it.
    PLATFORM_INTERNAL_URL: 'http://127.0.0.1:4001',
  } as unknown as NodeJS.ProcessEnv;
  try {
    const { stdout, stderr } = await execute(program, args, { cwd, env, maxBuffer: 2 ** 26 });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

/** The specifiers of an installed package's entries, with a `*` filled in for each of its files. */
export async function entriesOf({ manifest, place }: Installed): Promise<string[]> {
  const entries = new Set<string>();
  for (const [entry, target] of Object.entries(manifest.exports)) {
    if (entry === './package.json') continue;
    const file = typeof target === 'string' ? target : (target.default ?? target.types);
    const specifier = path.posix.join(manifest.name, entry);
    const [before = '', after] = file.split('*');
    if (after === undefined) entries.add(specifier);
    else {
      for (const found of await readdir(path.join(place, before))) {
        if (found.endsWith(after))
          entries.add(specifier.replace('*', found.slice(0, -after.length)));
      }
    }
  }
  return [...entries];
}
