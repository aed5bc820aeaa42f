/** Moves a site to a newer release. */
import { isIn, modeWithout, type Feature } from '../features.ts';
import type { Files } from '../plan.ts';
import { lockFile, lockOf } from '../preview.ts';
import { recordIn, type InitRecord } from '../record.ts';
import { checkCommitted, readFiles } from '../repository.ts';
import { parseJson, Refusal } from '../request/refusal.ts';
import { compareVersions } from '../versions.ts';
import { checkedChanges, write } from '../writing/write.ts';
import { codemods, type Codemod } from './codemods.ts';
import { isManifest, isSame, merge, type Versions } from './merge.ts';
import { mergeJson, type Json } from './merge-json.ts';
import type { Release } from './release.ts';
import { reportOf } from './report.ts';

export interface Update {
  /** The site's folder. */
  root: string;
  /** The release to move it to. */
  release: Release;
  /** @returns the release of a version, as it made the site. */
  earlier: (version: string) => Promise<Release>;
  /** Reports what it would do, and does nothing. */
  isDry?: boolean;
  codemods?: readonly Codemod[];
}

export interface Updated {
  report: string;
  isChanged: boolean;
  /** Whether nothing is left that only the site's owner can decide. */
  isComplete: boolean;
}

/** @throws {Refusal} if it changes nothing, and tells why. */
export async function update({
  root,
  release,
  earlier,
  isDry = false,
  codemods: known = codemods,
}: Update): Promise<Updated> {
  const { files: ours, git } = await readFiles(root);
  const record = recordIn(ours);
  if (!record) throw new Refusal('This is not the folder of a site: it has no .gatehouse.json.');
  const order = compareVersions(record.version, release.version);
  if (order > 0) {
    throw new Refusal(
      `This site is of release ${record.version}, which is newer than ${release.version}.`,
    );
  }
  if (order === 0) {
    const report = `This site is of release ${release.version}: nothing to do.`;
    return { report, isChanged: false, isComplete: true };
  }
  if (!git) {
    throw new Refusal('Git undoes an update: make a repository here, and commit the site.');
  }
  await checkCommitted(root);

  const before = await earlier(record.version);
  const { base, theirs } = await sitesOf(record, before, release);
  const needed = known.filter(
    ({ version }) =>
      compareVersions(version, record.version) > 0 &&
      compareVersions(version, release.version) <= 0,
  );
  const edited = edit(ours, needed);
  const merged = await merge(
    // What a codemod changes in the earlier release's files is no change of theirs.
    { base: edit(base, needed).files, ours: edited.files, theirs },
    { base: `release ${record.version}`, theirs: `release ${release.version}` },
  );
  const after = new Map(merged.after);
  const lock = await lockOfMerged({ base, ours, theirs }, after);
  if (lock) after.set(lockFile, lock);
  const isComplete = merged.conflicts.length + merged.left.length === 0;
  const about = { from: record.version, release, ours, theirs, after, merged, isDry };
  const report = reportOf({ ...about, edits: edited.done }).join('\n');
  const writing = { root, before: ours, after, report, isComplete };
  if (isDry) await checkedChanges(writing);
  else await write(writing);
  return { report, isChanged: !isDry, isComplete };
}

/** The site that was made, and the newer release's with the same choices. */
async function sitesOf(
  { name, removed, framework = 'remix' }: InitRecord,
  before: Release,
  release: Release,
) {
  const auth = modeWithout(removed);
  if (!auth) throw new Refusal('.gatehouse.json says that this site has no kind of accounts.');
  const names = before.samples.map((sample) => sample.name);
  const without = names.filter((sample) => removed.includes(sample));
  const base = await before.site({ name, auth, framework, without });
  // A sample that is new is not added, unless the site has it already under another name.
  const isNew = ({ name, files }: Feature) =>
    !names.includes(name) && ![...base.keys()].some((file) => isIn(files, file));
  const lacks = release.samples
    .filter((sample) => without.includes(sample.name) || isNew(sample))
    .map((sample) => sample.name);
  return { base, theirs: await release.site({ name, auth, framework, without: lacks }) };
}

function edit(files: Files, needed: readonly Codemod[]): { files: Files; done: string[] } {
  const after = new Map(files);
  const done = needed.flatMap(({ does, edit: editTexts }) => {
    const texts = [...after]
      .map(([file, content]) => [file, content, Buffer.from(content).toString()] as const)
      .filter(([, content, text]) => !content.includes(0) && Buffer.from(text).equals(content))
      .map(([file, , text]) => [file, text.replaceAll('\r\n', '\n')] as const);
    const changed = editTexts(new Map(texts));
    for (const [file, text] of changed) {
      const hasOtherEnds = after.get(file)?.includes(0x0d);
      after.set(file, Buffer.from(hasOtherEnds ? text.replaceAll('\n', '\r\n') : text));
    }
    return changed.size === 0 ? [] : [`${changed.size} files: ${does}`];
  });
  return { files: after, done };
}

/**
 * The lock of the release, if nobody changed the earlier one or a manifest. Otherwise both locks are merged, and npm
 * completes that.
 */
async function lockOfMerged(
  { base, ours, theirs }: Versions,
  after: Files,
): Promise<Uint8Array | undefined> {
  const [was, own, released] = [base, ours, theirs].map((each) => each.get(lockFile));
  if (!own || !released) return undefined;
  const isAsReleased = [...after].every(
    ([file, content]) => !isManifest(file) || isSame(theirs.get(file), content),
  );
  if (isSame(was, own) && isAsReleased) return released;
  const jsonOf = (content: Uint8Array = Buffer.from('{}')) =>
    parseJson(lockFile, Buffer.from(content).toString()) as Json;
  const { value } = mergeJson(jsonOf(was), jsonOf(own), jsonOf(released), (_, theirs) => theirs);
  return lockOf(new Map([...after, [lockFile, Buffer.from(JSON.stringify(value))]]));
}
