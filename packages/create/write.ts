/**
 * Writes what a site becomes, so that it can be broken off. All of it is staged first, and then a list of the steps. Without
 * that list nothing has changed; with it, the steps can be repeated until they are all done.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isExecutable } from './archive.ts';
import { isIn } from './features.ts';
import type { Files } from './plan.ts';
import { digestOf } from './record.ts';
import { checkUnchanged } from './repository.ts';
import { Refusal } from './request/refusal.ts';

const staging = '.cache/gatehouse';
const list = `${staging}/steps.json`;
/** This package's, in the template's repository: without it, nothing could be repeated. */
const program = 'packages/create';
/** Tools' output, which can be deleted safely. */
const disposable = ['node_modules', 'dist', 'build', '.cache'];

interface Steps {
  files: Step[];
  /** Removed, too, with what tools have made there. */
  folders: readonly string[];
}

interface Step {
  file: string;
  /** The digest of what is there before; null if nothing is. */
  before: string | null;
  /** The digest of what takes its place; null if it is removed. */
  after: string | null;
}

/**
 * @param before - The files as they were read.
 * @throws {Refusal} if one of them was changed meanwhile, or a new one is there already.
 */
export async function write(
  root: string,
  before: Files,
  after: Files,
  folders: readonly string[] = [],
): Promise<void> {
  const changed = [...after].filter(([file, content]) => before.get(file) !== content);
  const hidden = changed.find(([file]) => !before.has(file) && existsSync(path.join(root, file)));
  if (hidden) {
    throw new Refusal(
      `${hidden[0]} would be new, but git ignores one that is here: move that away.`,
    );
  }
  await rm(path.join(root, staging), { recursive: true, force: true });
  await mkdir(path.join(root, staging), { recursive: true });
  // Whatever the site's own says.
  await writeFile(path.join(root, staging, '.gitignore'), '*\n');
  for (const [file, content] of changed) {
    const place = path.join(root, staging, 'files', file);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, content);
    if (isExecutable(content)) await chmod(place, 0o755);
  }
  const removed = [...before.keys()].filter((file) => !after.has(file));
  const digest = (content: Uint8Array | undefined) => (content ? digestOf(content) : null);
  const steps: Steps = {
    files: [...removed, ...changed.map(([file]) => file)].map((file) => ({
      file,
      before: digest(before.get(file)),
      after: digest(after.get(file)),
    })),
    folders,
  };
  const place = path.join(root, list);
  await writeFile(`${place}.new`, JSON.stringify(steps));
  await checkUnchanged(root, before).catch(async (error: unknown) => {
    await rm(path.join(root, staging), { recursive: true });
    throw error;
  });
  await rename(`${place}.new`, place);
  await finishWriting(root);
}

/**
 * @returns whether there was something to finish.
 * @throws {Refusal} if a file has been edited since.
 */
export async function finishWriting(root: string): Promise<boolean> {
  const text = await readFile(path.join(root, list), 'utf8').catch(() => null);
  if (text === null) return false;
  const { files, folders } = JSON.parse(text) as Steps;
  for (const { file, before, after } of files) {
    const content = await readFile(path.join(root, file)).catch(() => null);
    const now = content && digestOf(content);
    if (now === before || now === after || now === null) continue;
    throw new Refusal(
      `${file} was edited after a run was broken off: undo that run with git, or forget it by deleting ${staging}.`,
    );
  }
  const remove = files.filter(({ after }) => after === null).map(({ file }) => file);
  const write = files.filter(({ after }) => after !== null).map(({ file }) => file);
  const isProgram = (place: string) => isIn([program], place) || isIn([place], program);
  // What goes is first, because a folder may take the place of a file.
  await removeAll(
    root,
    remove.filter((file) => !isProgram(file)),
  );
  for (const file of write) {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    const staged = path.join(root, staging, 'files', file);
    await rename(staged, path.join(root, file)).catch((error: unknown) => {
      // It is in place already.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    });
  }
  await removeAll(root, remove.filter(isProgram));
  for (const folder of folders) {
    const made = (await entriesIn(root, folder)).filter(
      ({ place, isFolder }) => isFolder && disposable.includes(path.posix.basename(place)),
    );
    // The outer one is first: the others are in it.
    await removeAll(
      root,
      made.map(({ place }) => place),
    );
    await removeEmpty(root, folder);
  }
  await rm(path.join(root, staging), { recursive: true });
  return true;
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

/** What is in a folder and those below it, by path from the root; nothing if there is no such folder. */
async function entriesIn(root: string, folder: string) {
  const options = { recursive: true, withFileTypes: true } as const;
  const entries = await readdir(path.join(root, folder), options).catch(() => []);
  return entries
    .map((entry) => ({
      place: path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
      isFolder: entry.isDirectory(),
    }))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
}

async function removeAll(root: string, places: readonly string[]): Promise<void> {
  for (const place of places) {
    await rm(path.join(root, place), { recursive: true, force: true });
    await removeEmpty(root, path.dirname(place));
  }
}

async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let parent = folder; parent !== '.'; parent = path.dirname(parent)) {
    const entries = await readdir(path.join(root, parent)).catch(() => null);
    if (entries?.length !== 0) return;
    await rmdir(path.join(root, parent));
  }
}
