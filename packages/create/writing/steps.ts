/** The steps that `write` has staged. */
import { chmod, copyFile, mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { isExecutable } from '../archive.ts';
import { isIn } from '../features.ts';
import { recordFile } from '../record.ts';
import { undoing } from '../repository.ts';
import { isRefusal, reasonOf, Refusal } from '../request/refusal.ts';
import { entryAt, removeFile, removeFolder, stateOf } from './places.ts';

/** The folder of what is staged, with its list of steps. */
export const pending = '.cache/gatehouse';
export const stepsFile = 'steps.json';

/** This package, in the template's repository: without it, nothing could be repeated. */
const program = 'packages/create';

/** A newer release's program writes it, and the site's own may have to finish it. */
export interface Steps {
  format: 1;
  files: Step[];
  folders: readonly string[];
  report: string;
  isComplete: boolean;
}

interface Step {
  file: string;
  /** The digest of what is there before; null if nothing is. */
  before: string | null;
  /** The digest of what takes its place; null if it is removed. */
  after: string | null;
}

export interface Finished {
  report: string;
  isComplete: boolean;
}

/**
 * Finishes a run that was broken off. One that git has undone is forgotten.
 *
 * @returns what that run had to say; null if there is nothing to finish.
 * @throws {Refusal} if a file has been edited since, or cannot be written.
 */
export async function finishWriting(root: string): Promise<Finished | null> {
  const steps = await readSteps(root);
  if (!steps) return null;
  let isUndone = true;
  for (const { file, before, after } of steps.files) {
    // A folder that takes a file's place, or goes for it.
    const isFolder = steps.files.some((other) => other.file.startsWith(`${file}/`));
    const state = await stateOf(root, file);
    const now = isFolder && state === 'other' ? null : state;
    if (now !== before) isUndone = false;
    if (now === before || now === after || now === null) continue;
    throw new Refusal(
      `${file} was edited after a run was broken off: undo that run with ${undoing}, or forget it by deleting ${pending}.`,
    );
  }
  if (isUndone) {
    await rm(path.join(root, pending), { recursive: true });
    return null;
  }
  await finishSteps(root);
  return steps;
}

/** @throws {Refusal} if a step cannot be done. */
export async function finishSteps(root: string): Promise<void> {
  const steps = await readSteps(root);
  if (!steps) return;
  await doAll(root, steps).catch((error: unknown) => {
    if (isRefusal(error)) throw error;
    throw new Refusal(
      `The run was broken off: ${reasonOf(error)}. Run it again to finish it, or undo it with ${undoing}`,
    );
  });
}

/** @returns whether a run was broken off. */
export async function isPending(root: string): Promise<boolean> {
  return (await entryAt(root, pending)) !== null;
}

async function readSteps(root: string): Promise<Steps | null> {
  const text = await readFile(path.join(root, pending, stepsFile), 'utf8').catch(() => null);
  if (text === null) return null;
  const steps = JSON.parse(text) as { format: number } | Steps;
  if (steps.format === 1) return steps as Steps;
  throw new Refusal(`A run of another release was broken off: undo it with ${undoing}`);
}

async function doAll(root: string, { files, folders }: Steps): Promise<void> {
  const removed = files.filter(({ after }) => after === null).map(({ file }) => file);
  const written = files.filter(({ after }) => after !== null).map(({ file }) => file);
  // What goes is first, because a folder may take the place of a file; the program and the record are last.
  for (const file of removed) if (!isIn([program], file)) await removeFile(root, file);
  for (const file of written) if (file !== recordFile) await writeStaged(root, file);
  for (const file of removed) if (isIn([program], file)) await removeFile(root, file);
  for (const folder of folders) await removeFolder(root, folder);
  if (written.includes(recordFile)) await writeStaged(root, recordFile);
  await rm(path.join(root, pending), { recursive: true });
}

/** A copy, because git may undo this run before its end, and the next one needs what is staged. */
async function writeStaged(root: string, file: string): Promise<void> {
  const [place, staged] = [path.join(root, file), path.join(root, pending, 'files', file)];
  await mkdir(path.dirname(place), { recursive: true });
  const entry = await entryAt(root, file);
  // Nothing is in it any more.
  if (entry?.isDirectory()) await rmdir(place);
  const copy = `${place}.gatehouse`;
  await copyFile(staged, copy);
  const mode = entry?.isFile() ? entry.mode : isExecutable(await readFile(staged)) ? 0o755 : null;
  if (mode !== null) await chmod(copy, mode);
  await rename(copy, place);
}
