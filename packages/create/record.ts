/**
 * `.gatehouse.json`: the template's version, and the digest of every file as `init` left it. A file with a
 * different digest has been edited since.
 */
import { createHash } from 'node:crypto';
import { parseJson, Refusal } from './request/refusal.ts';
import { frameworks, type FrameworkName } from './features.ts';
import { isVersion } from './versions.ts';

export const recordFile = '.gatehouse.json';

export interface InitRecord {
  /** The template's version. */
  version: string;
  /** The site's name, as given to `init`. */
  name: string;
  /** The features that were removed. */
  removed: string[];
  /** What it was made for: Remix, unless it says otherwise. */
  framework?: FrameworkName;
  /** SHA-256 by file. */
  files: Record<string, string>;
}

/**
 * @returns null if the files are not a site's.
 * @throws {Refusal} if it is none that was written here.
 */
export function recordIn(files: ReadonlyMap<string, Uint8Array>): InitRecord | null {
  const content = files.get(recordFile);
  if (!content) return null;
  const given = parseJson(recordFile, Buffer.from(content).toString());
  const {
    version,
    name,
    removed,
    framework,
    files: digests,
  } = (given ?? {}) as Partial<InitRecord>;
  const areTexts = (values: unknown): values is string[] =>
    Array.isArray(values) && values.every((value) => typeof value === 'string');
  if (
    typeof version !== 'string' ||
    !isVersion(version) ||
    typeof name !== 'string' ||
    !areTexts(removed) ||
    (framework !== undefined && !frameworks.includes(framework)) ||
    typeof digests !== 'object'
  ) {
    throw new Refusal(`${recordFile} is not as it was written: restore it with git.`);
  }
  return { version, name, removed, ...(framework && { framework }), files: digests };
}

export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * @param before - The files as a run of `init` found them.
 * @param after - The files as it leaves them.
 * @param known - The digests that an earlier run recorded. A file that was edited since keeps its old digest,
 *   and a new file gets none.
 */
export function digestsOf(
  before: ReadonlyMap<string, Uint8Array>,
  after: ReadonlyMap<string, Uint8Array>,
  known?: Record<string, string>,
): Record<string, string> {
  const own = [...after].filter(([file]) => file !== recordFile && file !== 'package-lock.json');
  if (!known) return sorted(own.map(([file, content]) => [file, digestOf(content)]));
  return sorted(
    Object.entries(known)
      .filter(([file]) => after.has(file) || !before.has(file))
      .map(([file, digest]) => {
        const [old, content] = [before.get(file), after.get(file)];
        const untouched = old && content && digestOf(old) === digest;
        return [file, untouched ? digestOf(content) : digest];
      }),
  );
}

function sorted(entries: [string, string][]): Record<string, string> {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
