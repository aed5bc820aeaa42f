/** The files of a repository, what git says of them, and writing to them once a plan is whole. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { globby } from 'globby';
import { format, getFileInfo, resolveConfig } from 'prettier';
import type { Files, Plan } from './plan';
import { recordFile } from './record';
import { Refusal } from './request/refusal';

const run = promisify(execFile);
const windows = process.platform === 'win32';

/** What tools make in a folder, and nobody misses. */
const disposable = ['node_modules', 'dist', 'build', '.cache'];

/** The files of a repository: those that git knows or would, or without git all but what `.gitignore` names. */
export async function readFiles(root: string): Promise<{ files: Files; git: boolean }> {
  const known = await git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  const names =
    known?.split('\0').filter(Boolean) ??
    (await globby('**', {
      cwd: root,
      dot: true,
      gitignore: true,
      ignore: ['**/.git', '**/node_modules'],
    }));
  const contents = await Promise.all(
    names.map(async (file): Promise<[string, Uint8Array] | null> => {
      try {
        return [file, await readFile(path.join(root, file))];
      } catch (error) {
        // Known to git and deleted by hand: uncommitted, which is refused where it matters.
        // A submodule, or a link to a folder: nothing of the template's.
        const { code = '' } = error as NodeJS.ErrnoException;
        if (['ENOENT', 'EISDIR'].includes(code)) return null;
        throw error;
      }
    }),
  );
  const files = new Map(contents.filter((entry) => entry !== null));
  return { files, git: known !== null };
}

/**
 * The lock alone may differ: another npm than the template's rewrites it when it installs, and `init` does anyway.
 *
 * @throws {Refusal} when something would be lost by going back: what is not committed.
 */
export async function checkCommitted(root: string): Promise<void> {
  const status =
    (await git(root, 'status', '--porcelain', '--untracked-files=all', '--', '.')) ?? '';
  const files = status.split('\n').filter((line) => line && !/^.. "?package-lock\.json/.test(line));
  if (files.length === 0) return;
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  throw new Refusal(
    `There is uncommitted work (${files[0]?.slice(3)}${more}): commit or stash it first, so that git can undo this.`,
  );
}

/** What the repository will be: the plan's texts formatted, and the lock as npm writes it for them. */
export async function preview(root: string, files: Files, plan: Plan): Promise<Files> {
  const after = new Map(files);
  for (const file of plan.remove) after.delete(file);
  for (const [file, text] of plan.write) after.set(file, await formatted(root, file, text));
  if (files.has('package-lock.json')) after.set('package-lock.json', await lockOf(after));
  const record = `${JSON.stringify(plan.record(after), null, 2)}\n`;
  after.set(recordFile, await formatted(root, recordFile, record));
  return after;
}

/**
 * Makes the repository what was previewed. The record comes last: without it another run begins anew.
 * @returns what stays in folders that went: files that git does not know.
 */
export async function write(root: string, before: Files, after: Files, plan: Plan) {
  for (const [file, content] of after) {
    if (before.get(file) === content || file === recordFile) continue;
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    await writeFile(path.join(root, file), content);
  }
  for (const file of plan.remove) {
    await rm(path.join(root, file), { force: true });
    await removeEmpty(root, path.dirname(file));
  }
  for (const folder of plan.folders) {
    for (const made of disposable) {
      await rm(path.join(root, folder, made), { recursive: true, force: true });
    }
    await removeEmpty(root, folder);
  }
  await writeFile(path.join(root, recordFile), after.get(recordFile) ?? '');
  const left = await globby(
    plan.folders.map((folder) => `${folder}/**`),
    { cwd: root, dot: true },
  );
  return left.sort();
}

async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let one = folder; one !== '.'; one = path.dirname(one)) {
    const entries = await readdir(path.join(root, one)).catch(() => null);
    if (entries?.length !== 0) return;
    await rmdir(path.join(root, one));
  }
}

async function formatted(root: string, file: string, text: string): Promise<Uint8Array> {
  const place = path.join(root, file);
  const { ignored, inferredParser } = await getFileInfo(place, {
    ignorePath: path.join(root, '.prettierignore'),
  });
  if (ignored || inferredParser === null) return Buffer.from(text);
  return Buffer.from(await format(text, { ...(await resolveConfig(place)), filepath: place }));
}

/**
 * npm makes the lock from the manifests alone, in a folder without `node_modules`: beside installed packages
 * it would drop those of other systems.
 */
async function lockOf(files: Files): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'init-lock-'));
  try {
    for (const [file, content] of files) {
      if (!/(^|\/)package\.json$|^package-lock\.json$|^\.npmrc$/.test(file)) continue;
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), content);
    }
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', ['install', '--package-lock-only', ...quiet], { cwd: folder, shell: windows });
    return await readFile(path.join(folder, 'package-lock.json'));
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Refusal(`npm could not write the lock, so nothing was changed: ${stderr || message}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What git prints; null where there is no git, no repository of it, or nothing of it here. */
async function git(root: string, ...args: string[]): Promise<string | null> {
  try {
    const { stdout } = await run('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    return args[0] === 'ls-files' && stdout === '' ? null : stdout;
  } catch {
    return null;
  }
}
