/** Copies this repository, like a clone, for `npm run init` to generate sites from. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { documentsOf } from '../repository/documents';

export const repository = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

export interface MadeSite {
  folder: string;
  /** Runs a program in the site's folder, and resolves to its stdout. Rejects with its output if it fails. */
  run: (program: string, ...args: string[]) => Promise<string>;
  /** Writes a file of the site, and creates its folder. */
  write: (file: string, text: string) => Promise<void>;
  remove: () => Promise<void>;
}

/**
 * Copies the tracked files, and links the installed packages of this repository.
 * @param history - Whether the copy is a git repository with one commit.
 */
export async function copyRepository({ history = true } = {}): Promise<MadeSite> {
  const folder = await mkdtemp(path.join(tmpdir(), 'made-site-'));
  const site = siteIn(folder);
  const files = await output(repository, 'git', ['ls-files', '-z']);
  for (const file of files.split('\0').filter(Boolean)) {
    await cp(path.join(repository, file), path.join(folder, file));
  }
  for (const place of files.split('\0').filter((file) => /(^|\/)package\.json$/.test(file))) {
    await linkPackages(path.join(path.dirname(place), 'node_modules'), folder);
  }
  // `init` packs the same packages once.
  const packed = path.join(repository, '.cache/packed');
  await mkdir(packed, { recursive: true });
  await mkdir(path.join(folder, '.cache'));
  await symlink(packed, path.join(folder, '.cache/packed'));
  if (history) {
    await site.run('git', 'init', '--quiet', '--initial-branch', 'main');
    await commit(site, 'A clone');
  }
  return site;
}

export function siteIn(folder: string): MadeSite {
  return {
    folder,
    run: (program, ...args) => output(folder, program, args),
    async write(file, text) {
      const place = path.join(folder, file);
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, text);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

export function read(site: MadeSite, file: string): Promise<string> {
  return readFile(path.join(site.folder, file), 'utf8');
}

/** Replaces what matches in a file. */
export async function edit(
  site: MadeSite,
  file: string,
  pattern: RegExp,
  text: string,
): Promise<void> {
  const before = await read(site, file);
  const after = before.replace(pattern, text);
  if (after === before) throw new Error(`${file} does not match ${String(pattern)}.`);
  await site.write(file, after);
}

/** git's options, where nobody has told it who they are. */
export const author = ['-c', 'user.name=A cloner', '-c', 'user.email=cloner@site.example'];

export async function commit(site: MadeSite, message: string): Promise<void> {
  await site.run('git', 'add', '--all');
  await site.run('git', ...author, 'commit', '--quiet', '--message', message);
}

export async function init(site: MadeSite, ...args: string[]): Promise<string> {
  const report = await site.run('npm', 'run', '--silent', 'init', '--', ...args);
  await installVendored(site);
  return report;
}

/** Puts the packages in `vendor/` in place of the links to their sources, as `npm install` would. */
async function installVendored({ folder, run }: MadeSite): Promise<void> {
  const modules = path.join(folder, 'node_modules');
  const lock = JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8')) as Lock;
  for (const [place, { resolved = '', bin = {} }] of Object.entries(lock.packages)) {
    if (!resolved.startsWith('file:vendor/')) continue;
    const installed = path.join(folder, place);
    // A second run finds it installed.
    if (!(await lstat(installed)).isSymbolicLink()) continue;
    const source = path.join(path.dirname(place), await readlink(installed));
    await rm(installed);
    await mkdir(installed);
    const tarball = resolved.replace('file:', '');
    await run('tar', '--extract', '--file', tarball, '--strip-components=1', '-C', installed);
    const own = path.join(repository, source, 'node_modules');
    if (existsSync(own)) await symlink(own, path.join(installed, 'node_modules'));
    for (const [name, file] of Object.entries(bin)) {
      await rm(path.join(modules, '.bin', name));
      await symlink(path.join(installed, file), path.join(modules, '.bin', name));
    }
  }
}

interface Lock {
  packages: Record<string, { resolved?: string; bin?: Record<string, string> }>;
}

/** The missing files, headings and scripts that a site's documents name. */
export function wrongInDocuments({ folder }: MadeSite): string[] {
  const { documents, missing, missingLinks, read: textOf } = documentsOf(folder);
  if (!documents.includes('README.md')) throw new Error(`${folder} has no documents`);
  return documents.flatMap((document) =>
    // A decision record may name files that no longer exist.
    (document.startsWith('docs/decisions/') ? missingLinks : missing)(document, textOf(document)),
  );
}

/** Links each installed package. Links to workspaces lead into the copy, as after `npm install` there. */
async function linkPackages(place: string, folder: string): Promise<void> {
  const from = path.join(repository, place);
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  if (entries.length > 0) await mkdir(path.join(folder, place), { recursive: true });
  for (const entry of entries) {
    const [source, target] = [path.join(from, entry.name), path.join(folder, place, entry.name)];
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (/^(@|\.bin$)/.test(entry.name))
      await linkPackages(path.join(place, entry.name), folder);
    else if (!/^\.(vite|cache)/.test(entry.name)) await symlink(source, target);
  }
}

async function output(cwd: string, program: string, args: string[]): Promise<string> {
  try {
    const env = { ...process.env, NO_COLOR: '1' };
    // Vitest's would put React's development build into the site.
    Reflect.deleteProperty(env, 'NODE_ENV');
    const options = { cwd, maxBuffer: 64 * 1024 * 1024, env };
    const { stdout } = await run(program, args, options);
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
