/**
 * Writes an update so that it can be broken off. All of it is staged first; a list of what is to be done is written last.
 * Without that list the site is the old one; with it, doing what it lists again makes the site the new one.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isExecutable } from '../archive.ts';
import type { Files } from '../plan.ts';
import { checkUnchanged, removeEmpty } from '../repository.ts';
import { Refusal } from '../request/refusal.ts';
import { isSame } from './merge.ts';

const staging = '.cache/gatehouse-update';
const list = `${staging}/list.json`;

interface Steps {
  write: string[];
  remove: string[];
}

export async function writeUpdate(root: string, before: Files, after: Files): Promise<void> {
  const changed = [...after].filter(([file, content]) => !isSame(before.get(file), content));
  const hidden = changed.find(([file]) => !before.has(file) && existsSync(path.join(root, file)));
  if (hidden) {
    throw new Refusal(
      `${hidden[0]} is a file of the release, and one here that git ignores: move yours.`,
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
  const steps: Steps = {
    write: changed.map(([file]) => file),
    remove: [...before.keys()].filter((file) => !after.has(file)),
  };
  const place = path.join(root, list);
  await writeFile(`${place}.new`, JSON.stringify(steps));
  await checkUnchanged(root, before);
  await rename(`${place}.new`, place);
  await finishUpdate(root);
}

/** @returns whether there was an update to finish. */
export async function finishUpdate(root: string): Promise<boolean> {
  const text = await readFile(path.join(root, list), 'utf8').catch(() => null);
  if (text === null) return false;
  const { write, remove } = JSON.parse(text) as Steps;
  // First what goes: a folder may take the place of a file.
  for (const file of remove) {
    await rm(path.join(root, file), { force: true });
    await removeEmpty(root, path.dirname(file));
  }
  for (const file of write) {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    const staged = path.join(root, staging, 'files', file);
    await rename(staged, path.join(root, file)).catch((error: unknown) => {
      // It is in place already.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    });
  }
  await rm(path.join(root, staging), { recursive: true });
  return true;
}
