/** What is on disk. Links are not followed: what they lead to is outside of the site, or git does not know it. */
import type { Stats } from 'node:fs';
import { lstat, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { digestOf } from '../record.ts';

/** Tools' output, which can be deleted safely. */
const disposable = ['node_modules', 'dist', 'build', '.cache'];

/** @returns null if nothing is there. */
export async function entryAt(root: string, place: string): Promise<Stats | null> {
  return lstat(path.join(root, place)).catch((error: unknown) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR'].includes(code)) return null;
    throw error;
  });
}

/** The digest of a file; null if nothing is there, `other` for a folder or a link. */
export async function stateOf(root: string, place: string): Promise<string | null> {
  const entry = await entryAt(root, place);
  if (!entry) return null;
  return entry.isFile() ? digestOf(await readFile(path.join(root, place))) : 'other';
}

/** What is in a folder and those below it, by path from the root; nothing if there is no such folder. */
export async function entriesIn(root: string, folder: string) {
  const options = { recursive: true, withFileTypes: true } as const;
  const entries = await readdir(path.join(root, folder), options).catch(() => []);
  return entries
    .map((entry) => ({
      place: path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
      isFolder: entry.isDirectory(),
    }))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
}

/** What is left in folders: files that git does not track. */
export async function filesLeftIn(root: string, folders: readonly string[]): Promise<string[]> {
  const entries = await Promise.all(folders.map((folder) => entriesIn(root, folder)));
  return entries
    .flat()
    .filter(({ isFolder }) => !isFolder)
    .map(({ place }) => place)
    .sort();
}

export async function removeFile(root: string, file: string): Promise<void> {
  const state = await stateOf(root, file);
  // What has taken its place meanwhile stays.
  if (state === 'other') return;
  if (state !== null) await rm(path.join(root, file));
  await removeEmpty(root, path.posix.dirname(file));
}

/** Removes what tools have made in a folder, and the folder if nothing else is in it. */
export async function removeFolder(root: string, folder: string): Promise<void> {
  for (const { place, isFolder } of await entriesIn(root, folder)) {
    if (!isFolder || !disposable.includes(path.posix.basename(place))) continue;
    await rm(path.join(root, place), { recursive: true, force: true });
    await removeEmpty(root, path.posix.dirname(place));
  }
  await removeEmpty(root, folder);
}

async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let parent = folder; parent !== '.'; parent = path.posix.dirname(parent)) {
    const entries = await readdir(path.join(root, parent)).catch(() => null);
    if (entries?.length !== 0) return;
    await rmdir(path.join(root, parent));
  }
}
