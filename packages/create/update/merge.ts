/** Merges what a release changed in a site's files with what its owner changed. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Manifest } from '../edits/manifests.ts';
import { isIn } from '../features.ts';
import type { Files } from '../plan.ts';
import { recordFile } from '../record.ts';
import { parseJson } from '../request/refusal.ts';
import { vendorFolder } from '../vendor.ts';
import { mergeJson, type Json } from './merge-json.ts';

/** The same site in three states. */
export interface Versions {
  /** As its release made it. */
  base: Files;
  /** As it is. */
  ours: Files;
  /** As the newer release makes it. */
  theirs: Files;
}

export interface Merged {
  after: Files;
  /** Files with changes of both. */
  merged: string[];
  /** Files with both versions of a line, between git's marks. */
  conflicts: string[];
  /** What keeps the owner's version, and why. */
  left: string[];
}

export interface Labels {
  base: string;
  theirs: string;
}

/** Merges every file but the lock, which npm completes afterwards. */
export async function merge({ base, ours, theirs }: Versions, labels: Labels): Promise<Merged> {
  const after = new Map(ours);
  const result: Merged = { after, merged: [], conflicts: [], left: [] };
  const files = [...new Set([...base.keys(), ...theirs.keys()])].filter(
    (file) => !isLock(file) && !isIn([vendorFolder], file),
  );
  for (const file of files.sort()) {
    const [was, own, released] = [base, ours, theirs].map((each) => each.get(file));
    if (isSame(was, released) || isSame(own, released)) continue;
    if (file === recordFile || isSame(was, own)) {
      if (released) after.set(file, released);
      else after.delete(file);
    } else if (!released) {
      result.left.push(`${file}: edited here, and no longer part of the release`);
    } else if (!own) {
      result.left.push(`${file}: deleted here, and changed by the release`);
    } else if (isManifest(file)) {
      const { value, left } = mergeJson(
        jsonIn(file, was ?? '{}'),
        jsonIn(file, own),
        jsonIn(file, released),
        ownVersion,
      );
      after.set(file, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
      result.merged.push(file);
      result.left.push(...left.map((each) => `${file}: ${each}`));
    } else if ([was, own, released].some((content) => content?.includes(0))) {
      result.left.push(`${file}: changed here and by the release, and not text`);
    } else {
      const { text, conflicts } = await mergeText([own, was ?? Buffer.of(), released], labels);
      after.set(file, Buffer.from(text));
      result[conflicts > 0 ? 'conflicts' : 'merged'].push(file);
    }
  }
  replaceTarballs(after, theirs);
  return result;
}

export const isLock = (file: string) => /(^|\/)package-lock\.json$/.test(file);
export const isManifest = (file: string) => /(^|\/)package\.json$/.test(file);

/** Line endings are git's matter: a checkout may have other ones. */
export function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (!one || !other) return one === other;
  return Buffer.compare(one, other) === 0 || textOf(one) === textOf(other);
}

/** `latin1`, because it has a character for each byte. */
function textOf(content: Uint8Array): string {
  return Buffer.from(content).toString('latin1').replaceAll('\r\n', '\n');
}

function jsonIn(file: string, content: Uint8Array | string): Json {
  return parseJson(file, Buffer.from(content).toString()) as Json;
}

/** A site that takes the packages from a registry, instead of `vendor/`, takes the release's from there, too. */
function ownVersion(own: Json, released: Json): Json | undefined {
  if (typeof own !== 'string' || typeof released !== 'string') return undefined;
  const [, version] = /^file:.*-(\d+\.\d+\.\d+.*)\.tgz$/.exec(released) ?? [];
  return version !== undefined && /^[\^~]?\d/.test(own) ? `^${version}` : undefined;
}

/** The tarballs of the release that the manifests name, in place of those that they named before. */
function replaceTarballs(after: Map<string, Uint8Array>, theirs: Files): void {
  const named = [...after]
    .filter(([file]) => isManifest(file))
    .flatMap(([file, content]) => {
      const manifest = jsonIn(file, content) as Manifest;
      return Object.values({ ...manifest.dependencies, ...manifest.devDependencies })
        .filter((range) => range.startsWith('file:'))
        .map((range) => path.posix.join(path.posix.dirname(file), range.replace('file:', '')));
    });
  for (const file of after.keys()) {
    if (isIn([vendorFolder], file) && file.endsWith('.tgz') && !named.includes(file))
      after.delete(file);
  }
  for (const [file, content] of theirs) {
    if (!isIn([vendorFolder], file)) continue;
    if (named.includes(file) || !file.endsWith('.tgz')) after.set(file, content);
  }
}

/** @returns the merged text, with git's marks around what both changed. */
async function mergeText(
  versions: readonly Uint8Array[],
  labels: Labels,
): Promise<{ text: string; conflicts: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-merge-'));
  try {
    for (const [index, content] of versions.entries())
      await writeFile(path.join(folder, String(index)), textOf(content), 'latin1');
    const names = ['this site', labels.base, labels.theirs].flatMap((label) => ['-L', label]);
    const args = ['merge-file', '--stdout', '--diff3', ...names, '0', '1', '2'];
    const options = { cwd: folder, maxBuffer: 2 ** 28 };
    return await promisify(execFile)('git', args, options).then(
      ({ stdout }) => ({ text: stdout, conflicts: 0 }),
      (error: unknown) => {
        // The exit code is the number of conflicts, and 255 for a failure.
        const { code, stdout } = error as { code?: unknown; stdout: string };
        if (typeof code !== 'number' || code > 127) throw error;
        return { text: stdout, conflicts: code };
      },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
