/** Reads a repository's files and git status. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import ignore, { type Ignore } from 'ignore';
import type { Files } from './plan.ts';
import { Refusal } from './request/refusal.ts';

const run = promisify(execFile);

/** What undoes a run in a committed repository. */
export const undoing = 'git stash --include-untracked -- .';

/**
 * The repository's files: those that git tracks or would track; without git, all but those in `.gitignore`.
 */
export async function readFiles(root: string): Promise<{ files: Files; git: boolean }> {
  const known = await git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  const names = known?.split('\0').filter(Boolean) ?? (await unignored(root));
  const contents = await Promise.all(
    names.map(async (file): Promise<[string, Uint8Array] | null> => {
      try {
        const place = path.join(root, file);
        // What a link leads to is no file of this repository.
        return (await lstat(place)).isFile() ? [file, await readFile(place)] : null;
      } catch (error) {
        // Tracked but deleted: an uncommitted change, which is rejected where it matters.
        const { code = '' } = error as NodeJS.ErrnoException;
        if (['ENOENT', 'ENOTDIR'].includes(code)) return null;
        throw error;
      }
    }),
  );
  const files = new Map(contents.filter((entry) => entry !== null));
  return { files, git: known !== null };
}

/** The files of a folder that no `.gitignore` in it or above it, up to the root, names. */
async function unignored(root: string, folder = '', above: Rules[] = []): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true });
  const own = entries.some(({ name }) => name === '.gitignore')
    ? [
        {
          folder,
          rules: ignore().add(await readFile(path.join(root, folder, '.gitignore'), 'utf8')),
        },
      ]
    : [];
  const rules = [...above, ...own];
  const found = entries.map(async (entry) => {
    if (['.git', 'node_modules'].includes(entry.name)) return [];
    const place = path.posix.join(folder, entry.name);
    const name = entry.isDirectory() ? `${place}/` : place;
    if (
      rules.some((each) =>
        each.rules.ignores(path.posix.relative(each.folder, place) + name.slice(place.length)),
      )
    )
      return [];
    return entry.isDirectory() ? unignored(root, place, rules) : [place];
  });
  return (await Promise.all(found)).flat();
}

interface Rules {
  folder: string;
  rules: Ignore;
}

/**
 * Ignores the lock, which another version of npm rewrites on install, and which `init` rewrites anyway.
 *
 * @throws {Refusal} if there are uncommitted changes, which could not be restored.
 */
export async function checkCommitted(root: string): Promise<void> {
  const hidden = ((await git(root, 'ls-files', '-v', '-z')) ?? '')
    .split('\0')
    .find((line) => /^[Sa-z] /.test(line));
  if (hidden !== undefined) {
    throw new Refusal(
      `git does not look at ${hidden.slice(2)} (skip-worktree or assume-unchanged), so that it could not undo this.`,
    );
  }
  const all = ['--porcelain', '-z', '--no-renames', '--untracked-files=all'];
  const status = (await git(root, 'status', ...all, '--', '.')) ?? '';
  // Paths begin at the root of the whole repository, of which this may be a folder.
  const lock = `${(await git(root, 'rev-parse', '--show-prefix'))?.trim() ?? ''}package-lock.json`;
  const files = status.split('\0').filter((line) => line && line.slice(3) !== lock);
  if (files.length === 0) return;
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  throw new Refusal(
    `There is uncommitted work (${files[0]?.slice(3)}${more}): commit or stash it first, so that git can undo this.`,
  );
}

/** @throws {Refusal} if a file was changed since the files were read. */
export async function checkUnchanged(root: string, before: Files): Promise<void> {
  const { files: now } = await readFiles(root);
  for (const file of new Set([...before.keys(), ...now.keys()])) {
    const [read, found] = [before.get(file), now.get(file)];
    if (read && found && Buffer.compare(read, found) === 0) continue;
    throw new Refusal(`${file} was changed meanwhile, so nothing was changed: run it again.`);
  }
}

/**
 * git's output; null without git, outside a repository, or if nothing here is tracked.
 *
 * @throws {Refusal} if git refuses to read the repository, as one of another user: its uncommitted work would be lost.
 */
async function git(root: string, ...args: string[]): Promise<string | null> {
  try {
    const { stdout } = await run('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    return args[0] === 'ls-files' && stdout === '' ? null : stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT' || !isInRepository(root)) return null;
    throw new Refusal(`git cannot read this repository, so nothing was changed: ${stderr.trim()}`);
  }
}

/** Whether a folder, which need not exist, is in a git repository. */
export function isInRepository(folder: string): boolean {
  const parent = path.dirname(folder);
  return existsSync(path.join(folder, '.git')) || (parent !== folder && isInRepository(parent));
}
