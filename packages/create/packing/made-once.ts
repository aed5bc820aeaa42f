/** What takes long to make, made once of the same sources: the packages' tarballs above all. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Files } from '../plan.ts';

/**
 * @returns a folder in `place` that is kept for the same sources. Two runs that begin together both make it, and one is
 *   kept. What nobody has used for a day is deleted.
 */
export async function madeOnce(
  place: string,
  sources: Files,
  make: (made: string) => Promise<void>,
): Promise<string> {
  const digest = createHash('sha256');
  for (const [file, content] of [...sources].sort(([one], [other]) => (one < other ? -1 : 1))) {
    digest.update(`${file}\0${content.length}\0`).update(content);
  }
  const folder = path.join(place, digest.digest('hex'));
  if (existsSync(folder)) {
    const now = new Date();
    await utimes(folder, now, now);
    return folder;
  }
  await mkdir(place, { recursive: true });
  for (const other of await readdir(place)) {
    // Another run may have renamed or deleted it since.
    const info = await stat(path.join(place, other)).catch(() => null);
    if (!info || Date.now() - info.mtimeMs < 24 * 3_600_000) continue;
    await rm(path.join(place, other), { recursive: true, force: true }).catch(() => undefined);
  }
  const made = await mkdtemp(`${folder}-`);
  try {
    await make(made);
    await rename(made, folder);
  } catch (error) {
    await rm(made, { recursive: true });
    // Another run was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/**
 * Packs all packages once for the same contents.
 *
 * @param files - The repository's.
 * @returns the folder of the tarballs.
 */
export async function packedOnce(root: string, files: Files): Promise<string> {
  // The compiler's options and version.
  const read = /^(packages\/|tsconfig\.json$|package-lock\.json$)/;
  const sources = new Map([...files].filter(([file]) => read.test(file)));
  return madeOnce(path.join(root, '.cache/packed'), sources, async (made) => {
    const { pack } = await import('./pack.ts');
    await pack(root, files, packagesIn(files), made);
  });
}

/** The folders of `packages/`. */
export function packagesIn(files: Files): string[] {
  return [...files.keys()].flatMap(
    (file) => /^packages\/([^/]+)\/package\.json$/.exec(file)?.[1] ?? [],
  );
}
