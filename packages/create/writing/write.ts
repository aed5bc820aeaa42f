/**
 * Writes what a site becomes, so that it can be broken off. All of it is staged in a folder of its own, with a list of the
 * steps, and that folder is renamed to the one that `finishWriting` looks for: before that nothing has changed, after it
 * the steps can be repeated until they are all done.
 */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Files } from '../plan.ts';
import { digestOf } from '../record.ts';
import { checkUnchanged } from '../repository.ts';
import { isRefusal, reasonOf, Refusal } from '../request/refusal.ts';
import { finishSteps, pending, stepsFile, type Steps } from './steps.ts';
import { entriesIn, entryAt } from './places.ts';

export interface Writing {
  /** The site's folder. */
  root: string;
  /** The files as they were read. */
  before: Files;
  after: Files;
  /** Folders that go, with what tools have made in them. */
  folders?: readonly string[];
  /** What the command says of it, which is said by whichever run finishes it. */
  report: string;
  /** Whether nothing is left to the site's owner. */
  isComplete?: boolean;
}

/** @throws {Refusal} if a file was changed since it was read, something is in the way, or writing failed. */
export async function write(writing: Writing): Promise<void> {
  const { root } = writing;
  const changed = await checkedChanges(writing);
  await stage(writing, changed).catch((error: unknown) => {
    if (isRefusal(error)) throw error;
    throw new Refusal(`Nothing was changed: ${reasonOf(error)}.`);
  });
  await finishSteps(root);
}

type Changes = readonly (readonly [file: string, content: Uint8Array])[];

/** @throws {Refusal} if something is in the way that git could not bring back. */
export async function checkedChanges({ root, before, after }: Writing): Promise<Changes> {
  const changed = [...after].filter(([file, content]) => before.get(file) !== content);
  const goes = (place: string) => before.has(place) && !after.has(place);
  for (const [file] of changed) {
    for (
      let folder = path.posix.dirname(file);
      folder !== '.';
      folder = path.posix.dirname(folder)
    ) {
      const entry = await entryAt(root, folder);
      const isOther = entry?.isDirectory() === false && !goes(folder);
      // A submodule's files are no part of this repository.
      if (!isOther && !(await entryAt(root, `${folder}/.git`))) continue;
      throw new Refusal(
        `${folder} is no folder of this site, and ${file} would be in it: move it away.`,
      );
    }
    const entry = await entryAt(root, file);
    if (!entry || (before.has(file) && entry.isFile())) continue;
    const inside = entry.isDirectory() ? await entriesIn(root, file) : null;
    if (inside?.every(({ place, isFolder }) => isFolder || goes(place))) continue;
    throw new Refusal(
      `${file} would be new, but something that git does not track is in its place: move it away.`,
    );
  }
  return changed;
}

async function stage(writing: Writing, changed: Changes): Promise<void> {
  const { root, before, after, folders = [], report, isComplete = true } = writing;
  const place = path.join(root, pending);
  await mkdir(path.dirname(place), { recursive: true });
  const staging = await mkdtemp(`${place}-`);
  try {
    // Whatever the site's own says.
    await writeFile(path.join(staging, '.gitignore'), '*\n');
    for (const [file, content] of changed) {
      await mkdir(path.join(staging, 'files', path.dirname(file)), { recursive: true });
      await writeFile(path.join(staging, 'files', file), content);
    }
    const digest = (content: Uint8Array | undefined) => (content ? digestOf(content) : null);
    const removed = [...before.keys()].filter((file) => !after.has(file));
    const steps: Steps = {
      format: 1,
      files: [...removed, ...changed.map(([file]) => file)].map((file) => ({
        file,
        before: digest(before.get(file)),
        after: digest(after.get(file)),
      })),
      folders,
      report,
      isComplete,
    };
    await writeFile(path.join(staging, stepsFile), JSON.stringify(steps));
    await checkUnchanged(root, before);
    // Fails if there is one, which another run has made meanwhile.
    await rename(staging, place);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}
