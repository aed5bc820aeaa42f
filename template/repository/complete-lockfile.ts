/**
 * `npm run lockfile`: adds the platform packages that npm omitted from package-lock.json.
 *
 * Tools such as rollup and esbuild ship one optional package per platform. If the registry in use lacks one of them,
 * npm silently writes a lockfile without it: `npm ci` then fails, or installs a tool that cannot start on macOS or
 * Windows. `lockfile.test.ts` rejects such a lockfile.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export interface LockedPackage {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  license?: string;
  engines?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  [field: string]: unknown;
}

export interface Lockfile {
  packages: Record<string, LockedPackage>;
  [field: string]: unknown;
}

export interface Gap {
  /** Lockfile path of the package that depends on it, such as `node_modules/rollup`. */
  parent: string;
  name: string;
  /** The version or range in the parent's dependencies. */
  wanted: string;
  problem: 'absent' | 'wrong platform' | 'no integrity';
}

/** The registry's metadata of one package version. */
export type PublishedPackage = Required<Pick<LockedPackage, 'version' | 'integrity'>> &
  Pick<LockedPackage, 'os' | 'cpu' | 'libc' | 'license' | 'engines'>;

const systems: Record<string, string> = {
  aix: 'aix',
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  win32: 'win32',
};

const processors = new Set(
  'arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64'.split(' '),
);

/** The platform in a package's name: `@rollup/rollup-linux-x64-gnu` is for Linux on x64. */
export function platformFromName(name: string): { os?: string; cpu?: string } {
  const words = name.split(/[-/]/);
  const os = words.map((word) => systems[word]).find((word) => word !== undefined);
  const cpu = words.find((word) => processors.has(word));
  return { ...(os && { os }), ...(cpu && { cpu }) };
}

/** Every optional package that is missing in the lockfile, lacks an integrity, or is listed for the wrong platform. */
export function findGaps(lock: Lockfile): Gap[] {
  const gaps: Gap[] = [];
  for (const [parent, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const [name, wanted] of Object.entries(optionalDependencies)) {
      const entry = folders(parent)
        .map((folder) => lock.packages[`${folder}${name}`])
        .find((found) => found !== undefined);
      // Parents require platform packages by exact version; another version belongs to another parent.
      if (!entry || (isExact(wanted) && entry.version !== wanted)) {
        gaps.push({ parent, name, wanted, problem: 'absent' });
        continue;
      }
      const { os, cpu } = platformFromName(name);
      if ((os && !entry.os?.includes(os)) || (cpu && !entry.cpu?.includes(cpu))) {
        gaps.push({ parent, name, wanted, problem: 'wrong platform' });
      }
      if (!entry.integrity) gaps.push({ parent, name, wanted, problem: 'no integrity' });
    }
  }
  return gaps;
}

/**
 * Returns a copy of the lockfile, with its gaps filled from the registry.
 *
 * @param lookUp - Resolves to null if the registry lacks the version; the gap then remains, because an entry derived
 *   from the name alone would have no integrity.
 */
export async function completeLockfile(
  lock: Lockfile,
  lookUp: (name: string, wanted: string) => Promise<PublishedPackage | null>,
): Promise<{ lock: Lockfile; added: string[]; remaining: Gap[] }> {
  const packages = { ...lock.packages };
  const added = new Set<string>();
  for (const { parent, name, wanted } of findGaps(lock)) {
    const published = await lookUp(name, wanted);
    if (!published) continue;
    const place = `${highestFree(packages, parent, name, published.version)}${name}`;
    const { version, integrity, cpu, license, os, libc, engines } = published;
    packages[place] = {
      version,
      integrity,
      ...(cpu && { cpu }),
      ...(packages[parent]?.dev && { dev: true }),
      ...(libc && { libc }),
      ...(license && { license }),
      optional: true,
      ...(os && { os }),
      ...(engines && { engines }),
    };
    added.add(place);
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  const completed = { ...lock, packages: Object.fromEntries(sorted) };
  return { lock: completed, added: [...added], remaining: findGaps(completed) };
}

/** The folders in which Node.js resolves a package's dependencies, from the nearest to the root. */
function folders(parent: string): string[] {
  const found: string[] = [];
  for (let folder = parent; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    if (!folder.endsWith('node_modules')) found.push(`${folder && `${folder}/`}node_modules/`);
    if (!folder) return found;
  }
}

/** The topmost folder that neither contains another version nor is shadowed by one. npm hoists in the same way. */
function highestFree(
  packages: Lockfile['packages'],
  parent: string,
  name: string,
  version: string,
): string {
  const path = folders(parent);
  const taken = path.findIndex(
    (folder) => (packages[`${folder}${name}`]?.version ?? version) !== version,
  );
  return path.at(taken === -1 ? -1 : Math.max(0, taken - 1)) ?? 'node_modules/';
}

function isExact(wanted: string): boolean {
  return /^\d+\.\d+\.\d+[\w.+-]*$/.test(wanted);
}

async function requestFromRegistry(name: string, wanted: string): Promise<PublishedPackage | null> {
  const fields = ['version', 'dist.integrity', 'os', 'cpu', 'libc', 'license', 'engines'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { stdout } = await promisify(execFile)(
    npm,
    ['view', `${name}@${wanted}`, ...fields, '--json'],
    { shell: process.platform === 'win32' },
  ).catch(() => ({ stdout: '' }));
  if (!stdout.trim()) return null;
  const response = JSON.parse(stdout) as unknown;
  // For a range, npm prints a list of versions, the newest last.
  const newest = (Array.isArray(response) ? response.at(-1) : response) as Record<string, unknown>;
  const { version, 'dist.integrity': integrity } = newest;
  if (typeof version !== 'string' || typeof integrity !== 'string') return null;
  return { ...newest, version, integrity };
}

async function main(): Promise<void> {
  const file = new URL('../../package-lock.json', import.meta.url);
  const before = JSON.parse(await readFile(file, 'utf8')) as Lockfile;
  const { lock, added, remaining } = await completeLockfile(before, requestFromRegistry);
  if (added.length > 0) await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(added.length > 0 ? `Added ${added.join(', ')}.` : 'Nothing to add.');
  for (const { parent, name, wanted, problem } of remaining) {
    console.error(`${name}@${wanted}, for ${parent}: ${problem}.`);
  }
  if (remaining.length > 0) {
    console.error(
      'The registry in use does not have these. Lock a version of the parent whose platform packages it has.',
    );
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
