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
import { compareVersions, isVersion } from '../versions.ts';
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
  both: string[];
  /** Files with both versions of a line, between git's marks. */
  conflicts: string[];
  /** What keeps the owner's version, and why. */
  left: string[];
}

/** What the sides of a conflict are called. */
export interface Labels {
  base: string;
  theirs: string;
}

/** A file in three states; undefined where it is not. */
interface Sides {
  was?: Uint8Array | undefined;
  own?: Uint8Array | undefined;
  released?: Uint8Array | undefined;
}

/** What becomes of a file. Without `content`, it is removed. */
interface Outcome {
  content?: Uint8Array | undefined;
  in?: 'both' | 'conflicts';
  left?: string[];
}

/** Merges every file but the lock, which npm completes afterwards. */
export async function merge({ base, ours, theirs }: Versions, labels: Labels): Promise<Merged> {
  const after = new Map(ours);
  const result: Merged = { after, both: [], conflicts: [], left: [] };
  const files = [...new Set([...base.keys(), ...theirs.keys()])].filter(
    (file) => !isLock(file) && !isTarball(file),
  );
  for (const file of files.sort()) {
    const sides = { was: base.get(file), own: ours.get(file), released: theirs.get(file) };
    const outcome = await mergeFile(file, sides, labels);
    if (outcome.content) after.set(file, outcome.content);
    else after.delete(file);
    if (outcome.in) result[outcome.in].push(file);
    result.left.push(...(outcome.left ?? []).map((each) => `${file}: ${each}`));
  }
  result.left.push(...replaceTarballs({ base, ours, theirs }, after));
  return result;
}

async function mergeFile(file: string, sides: Sides, labels: Labels): Promise<Outcome> {
  const { was, own, released } = sides;
  if (isSame(was, released) || isSame(own, released)) return { content: own };
  if (file === recordFile || isSame(was, own)) return { content: released };
  if (!released) return { content: own, left: ['edited here, and no longer part of the release'] };
  if (!own) return { left: ['deleted here, and changed by the release'] };
  if (isManifest(file)) return mergeManifest(file, was, own, released);
  if ([was, own, released].some((content) => content?.includes(0)))
    return { content: own, left: ['changed here and by the release, and not text'] };
  const { text, conflicts } = await mergeText([own, was ?? Buffer.of(), released], labels);
  // The owner's line endings.
  const ended = own.includes(0x0d) ? text.replaceAll('\n', '\r\n') : text;
  return { content: Buffer.from(ended, 'latin1'), in: conflicts > 0 ? 'conflicts' : 'both' };
}

export const isLock = (file: string) => /(^|\/)package-lock\.json$/.test(file);
export const isManifest = (file: string) => /(^|\/)package\.json$/.test(file);
const isTarball = (file: string) => isIn([vendorFolder], file) && file.endsWith('.tgz');

/** Line endings are git's matter: a checkout may have other ones. */
export function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (!one || !other) return one === other;
  return Buffer.compare(one, other) === 0 || textOf(one) === textOf(other);
}

/** `latin1` has a character for each byte, whatever the encoding. */
function textOf(content: Uint8Array): string {
  return Buffer.from(content).toString('latin1').replaceAll('\r\n', '\n');
}

function mergeManifest(
  file: string,
  was: Uint8Array | undefined,
  own: Uint8Array,
  released: Uint8Array,
): Outcome {
  const jsonOf = (content: Uint8Array) => parseJson(file, Buffer.from(content).toString()) as Json;
  const base = was ? jsonOf(was) : {};
  const { value, left } = mergeJson(base, jsonOf(own), jsonOf(released), ownRange);
  const [, indentation = '  '] = /^([ \t]+)"/m.exec(Buffer.from(own).toString()) ?? [];
  const content = Buffer.from(`${JSON.stringify(value, null, indentation)}\n`);
  return { content, in: 'both', left };
}

/** A site that takes the packages from a registry, instead of `vendor/`, takes the release's from there, too. */
function ownRange(own: Json, released: Json): Json | undefined {
  if (typeof own !== 'string' || typeof released !== 'string') return undefined;
  const [, version = ''] = /^file:.*?-(\d+\.\d+\.\d+.*)\.tgz$/.exec(released) ?? [];
  const [, sign = '', now = ''] = /^([\^~]?)(\d.*)$/.exec(own) ?? [];
  if (!isVersion(version) || !isVersion(now) || compareVersions(now, version) > 0) return undefined;
  return sign + version;
}

/**
 * The tarballs of the release that the manifests name, in place of the earlier release's.
 *
 * @returns what keeps the owner's version.
 */
function replaceTarballs(
  { base, ours, theirs }: Versions,
  after: Map<string, Uint8Array>,
): string[] {
  const left: string[] = [];
  const named = [...after]
    .filter(([file]) => isManifest(file) && (theirs.has(file) || file === 'package.json'))
    .flatMap(([file, content]) => {
      const manifest = parseJson(file, Buffer.from(content).toString()) as Manifest;
      return Object.values({ ...manifest.dependencies, ...manifest.devDependencies })
        .map(String)
        .filter((range) => range.startsWith('file:'))
        .map((range) => path.posix.join(path.posix.dirname(file), range.replace('file:', '')));
    });
  for (const [file, content] of base) {
    if (!isTarball(file) || theirs.has(file) || named.includes(file)) continue;
    if (ours.has(file) && !isSame(ours.get(file), content)) left.push(`${file}: edited here`);
    else after.delete(file);
  }
  for (const [file, content] of theirs) {
    if (!isTarball(file) || !named.includes(file)) continue;
    const own = ours.get(file);
    if (own && !isSame(own, base.get(file)) && !isSame(own, content))
      left.push(`${file}: edited here`);
    else after.set(file, content);
  }
  return left;
}

/** @returns the merged text, as `latin1`, with git's marks around what both changed. */
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
    const options = { cwd: folder, maxBuffer: 2 ** 28, encoding: 'latin1' } as const;
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
