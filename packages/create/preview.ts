/** What a plan leaves of a site, before anything is written. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Files, Plan } from './plan.ts';
import { recordFile } from './record.ts';
import { npmReasonOf, parseJson, Refusal } from './request/refusal.ts';

export const lockFile = 'package-lock.json';

/**
 * @param made - Files that no plan can write: tarballs, documents of the settings and, unless npm is to write it, the lock.
 * @returns the files after the plan.
 */
export async function preview(files: Files, plan: Plan, made: Files = new Map()): Promise<Files> {
  const after = new Map([...files, ...made]);
  for (const file of plan.remove) after.delete(file);
  for (const [file, text] of plan.write) after.set(file, Buffer.from(text));
  if (files.has(lockFile) && !made.has(lockFile)) after.set(lockFile, await lockOf(after));
  const record = `${JSON.stringify(plan.record(after), null, 2)}\n`;
  return after.set(recordFile, Buffer.from(record));
}

/**
 * Lets npm generate the lock from the manifests alone, in a folder without `node_modules`: with installed
 * packages it would drop those for other platforms.
 */
export async function lockOf(files: Files): Promise<Uint8Array> {
  parseJson(lockFile, Buffer.from(files.get(lockFile) ?? '').toString());
  const folder = await mkdtemp(path.join(tmpdir(), 'init-lock-'));
  try {
    for (const [file, content] of files) {
      if (!/(^|\/)package\.json$|^package-lock\.json$|^\.npmrc$|\.tgz$/.test(file)) continue;
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), content);
    }
    // Writing a lock runs nothing, so this Node may be older than the site's.
    const quiet = [
      '--engine-strict=false',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
    ];
    const options = { cwd: folder, shell: process.platform === 'win32' };
    await promisify(execFile)('npm', ['install', '--package-lock-only', ...quiet], options);
    return await readFile(path.join(folder, lockFile));
  } catch (error) {
    throw new Refusal(
      `npm could not write the lock, so nothing was changed: ${npmReasonOf(error)}`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
